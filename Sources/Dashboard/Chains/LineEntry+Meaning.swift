import Subscriptions

extension LineEntry {
  /// Returns the meaning of the state, in words that can be sent to a customer.
  func meaning(in wording: Wording) -> String {
    let until = wording.date(accessUntilMs)
    switch state {
    case .trial: return "A free trial runs until \(until); \(afterwards(in: wording))."
    case .active: return "Paid until \(until); \(afterwards(in: wording))."
    case .overdue:
      return "What was paid for has ended, and Apple has not been asked since: it may well have been renewed."
    case .grace:
      return "Apple could not bill the renewal; access goes on until \(until) while it tries again."
    case .billingRetry:
      let end = (expiresMs ?? accessUntilMs) + billingRetryMilliseconds
      return
        "Apple could not bill the renewal and tries again until \(wording.date(end)), without access meanwhile."
    case .unattributed: return "It lapsed and came back, and nobody asked Apple meanwhile how it was."
    case .revoked:
      return familyShared
        ? "The purchase is no longer shared with this member of the family, since \(until)."
        : "Apple gave the money back, which took the access away on \(until)."
    case .expired: return "It ended on \(until): \(end)."
    }
  }

  private func afterwards(in wording: Wording) -> String {
    if nextRenewal?.productId != nil { return renewal(in: wording) }
    if priceConsentPending { return "then it renews if the customer agrees to the new price" }
    return switch autoRenew {
    case true?: renewal(in: wording)
    case false?: "then it ends, for auto-renew is switched off"
    case nil: "Apple has not said whether it renews"
    }
  }

  private func renewal(in wording: Wording) -> String {
    "then it renews" + (nextProduct.map { " as \(wording.products.name(of: $0))" } ?? "")
  }

  /// Product of the next renewal, as Apple has already signed it, or else as it is chosen; `nil` if it stays the same.
  private var nextProduct: ProductID? {
    if let signed = nextRenewal?.productId { return signed == productId ? nil : signed }
    return changePending
      ? renewalInfos.last { $0.autoRenewProductId != productId }?.autoRenewProductId : nil
  }

  private var end: String {
    expirationIntent.map { ExpirationIntent($0).sentence } ?? "Apple has not said why"
  }

  private var expiresMs: Instant? {
    transactions.first { $0.transactionId == currentTransactionId }?.expiresMs
  }
}
