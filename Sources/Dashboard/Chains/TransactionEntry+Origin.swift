import Subscriptions

extension [TransactionEntry] {
  /// Returns how each transaction came about, by id: first purchase, renewal, return or change of product.
  func origins(in wording: Wording) -> [TransactionID: String] {
    var origins: [TransactionID: String] = [:]
    var end: Instant?
    var last: TransactionEntry?
    for row in self {
      let replaced = first { $0.successorTransactionId == row.transactionId }
      origins[row.transactionId] = row.origin(after: last, ended: end, replacing: replaced, in: wording)
      end = Swift.max(end ?? row.purchaseMs, row.effectiveEndMs ?? row.purchaseMs)
      last = row
    }
    return origins
  }
}

extension TransactionEntry {
  fileprivate func origin(
    after last: Self?, ended end: Instant?, replacing replaced: Self?, in wording: Wording
  ) -> String {
    if let replaced {
      let direction = replaced.upgradeDirection ?? .unranked
      return
        "\(direction == .unranked ? "changed" : direction.rawValue) from \(wording.products.name(of: replaced.productId))"
    }
    if let changedFromProductId {
      let direction = changeDirection ?? .unranked
      return
        "\(direction == .unranked ? "changed" : direction.rawValue) from \(wording.products.name(of: changedFromProductId))"
    }
    let gap = AgeText.of(Swift.max(0, purchaseMs - (end ?? purchaseMs)))
    switch arrival {
    case .initial?: return "first"
    case .renewal?: return last?.kind == "trial" && kind != "trial" ? "trial converted" : "renewed"
    case .recovery?: return "recovered after \(gap)"
    case .unattributed?: return "back after \(gap)"
    case .reactivation?: return "new start after \(gap)"
    case nil: return ""
    }
  }
}
