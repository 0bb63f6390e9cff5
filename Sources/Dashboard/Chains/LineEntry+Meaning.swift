import Screen
import Subscriptions

extension LineEntry {
  /// Returns an explanation of the state that can be sent to a customer.
  func meaning(in formatter: DisplayFormatter) -> String {
    let until = formatter.date(accessUntilMs)
    switch state {
    case .trial: return "A free trial runs until \(until); \(afterwards(in: formatter))."
    case .active: return "Paid until \(until); \(afterwards(in: formatter))."
    case .overdue:
      return "The paid period has ended and was not checked with Apple since; it may have been renewed."
    case .grace:
      return "Apple could not bill the renewal; access continues until \(until) while Apple retries."
    case .billingRetry:
      let end = (expiresMs ?? accessUntilMs) + billingRetryMilliseconds
      return
        "Apple could not bill the renewal and retries until \(formatter.date(end)); there is no access meanwhile."
    case .unattributed:
      return
        "The subscription lapsed and started again later. Why it lapsed is unknown, because it was not checked with Apple in between."
    case .revoked:
      return familyShared
        ? "The purchase has not been shared with this family member since \(until)."
        : "Apple refunded the purchase, which ended access on \(until)."
    case .expired: return "It ended on \(until): \(end)."
    }
  }

  private func afterwards(in formatter: DisplayFormatter) -> String {
    if nextRenewal?.productId != nil { return renewal(in: formatter) }
    if priceConsentPending { return "then it renews if the customer accepts the new price" }
    return switch autoRenew {
    case true?: renewal(in: formatter)
    case false?: "then it ends, because auto-renew is off"
    case nil: "whether it renews is unknown"
    }
  }

  private func renewal(in formatter: DisplayFormatter) -> String {
    "then it renews" + (nextProduct.map { " as \(formatter.products.name(of: $0))" } ?? "")
  }

  /// New product of the next renewal, signed by Apple or else chosen by the customer; `nil` for no change.
  private var nextProduct: ProductID? {
    if let signed = nextRenewal?.productId { return signed == productId ? nil : signed }
    return changePending
      ? renewalInfos.last { $0.autoRenewProductID != productId }?.autoRenewProductID : nil
  }

  private var end: String {
    expirationIntent.map { ExpirationIntent($0).sentence } ?? "the reason is unknown"
  }

  private var expiresMs: Instant? {
    transactions.first { $0.transactionId == currentTransactionId }?.expiresMs
  }
}

extension LineEntry {
  /// Returns the number and sums of paid periods that have begun; `nil` without any, or if family-shared.
  func money(at now: Instant) -> StyledText? {
    let paid = transactions.filter { $0.kind != "trial" && $0.purchaseMs <= now }
    guard !paid.isEmpty, !familyShared else { return nil }
    let unpriced = paid.count { $0.priceMicros == nil }
    var parts: [StyledText] = [StyledText(CountText.of(paid.count, "paid period"))]
    let sums: [(String, [Int64?], Style)] = [
      ("customer paid ", paid.map(\.priceMicros), .money), ("proceeds ", paid.map(\.proceedsMicros), .money),
      ("refunded ", paid.map { $0.refunded ? $0.partialRefundMicros ?? $0.priceMicros : nil }, .bad),
      ("upgrade credit ", paid.map(\.proratedRefundMicros), .warn),
    ]
    for (name, micros, style) in sums {
      let amounts = Amounts(
        zip(paid, micros).compactMap { row, micros in
          row.currency.flatMap { currency in micros.map { Money(micros: $0, currency: currency) } }
        })
      if !amounts.isEmpty { parts.append([TextSpan(name, .dim), TextSpan(MoneyText.of(amounts), style)]) }
    }
    if unpriced > 0 { parts.append(StyledText("\(CountText.of(unpriced)) unpriced", .warn)) }
    return parts.joined(by: "  ")
  }

  /// Returns words on whether the group's introductory offer is available, or which transaction used it.
  func introOffer(in formatter: DisplayFormatter) -> StyledText {
    guard let introOfferUsedBy else { return StyledText("eligible for an introductory offer") }
    let used = transactions.first { $0.transactionId == introOfferUsedBy }
    return [
      TextSpan("used "), TextSpan(used.map { "on \(formatter.date($0.purchaseMs)) by " } ?? "by "),
      TextSpan(introOfferUsedBy.rawValue),
      TextSpan(
        used == nil ? ", another subscription of the user" : used?.kind == "trial" ? ", a trial" : "", .dim
      ),
    ]
  }
}
