/// Distinct one-time purchases of a chain (METRICS §1.3).
struct OneTimePurchases {
  private(set) var kept: [Purchase] = []

  init(of transactions: [Transaction], _ purchase: ([Transaction]) -> Purchase) {
    let oneTime = transactions.filter { $0.expiresDate == nil }.sorted {
      $0.transactionID < $1.transactionID
    }
    var groups = Groups(count: oneTime.count)
    var places: [OneTimeKey: Int] = [:]
    for place in oneTime.indices {
      for key in OneTimeKey.all(of: oneTime[place]) {
        // A transaction may share keys with two others that have no common key.
        if let other = places[key] { groups.join(place, other) } else { places[key] = place }
      }
    }
    let together = Dictionary(grouping: oneTime.indices) { groups.first(of: $0) }
    kept = together.values.map { purchase($0.map { oneTime[$0] }) }.sorted {
      Transaction.inOrder($0.transaction, $1.transaction)
    }
  }
}

private enum OneTimeKey: Hashable {
  case lineItem(PurchaseKey)
  /// A restored non-consumable has another id and often another date, but the same original purchase date.
  case originalPurchase(ProductID, Instant, isShared: Bool)

  static func all(of transaction: Transaction) -> [OneTimeKey] {
    let isShared = transaction.inAppOwnershipType.isShared
    return [
      PurchaseKey(transaction).map(lineItem),
      transaction.originalPurchaseDate.map {
        .originalPurchase(transaction.productID, $0, isShared: isShared)
      },
    ].compactMap(\.self)
  }
}

/// Disjoint sets of indices (union–find), each identified by its smallest index.
private struct Groups {
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  mutating func first(of place: Int) -> Int {
    var place = place
    while parents[place] != place {
      parents[place] = parents[parents[place]]
      place = parents[place]
    }
    return place
  }

  mutating func join(_ left: Int, _ right: Int) {
    let (left, right) = (first(of: left), first(of: right))
    parents[max(left, right)] = min(left, right)
  }
}
