/// METRICS §1.3: a restore gives one purchase another id; one is kept and the others are noted.
struct Purchases {
  var kept: [Row] = []

  init(of transactions: [Transaction]) {
    // By their dates alone, since rows are large: where no two begin together, none are of one purchase.
    let places = transactions.indices.sorted {
      transactions[$0].purchaseDate < transactions[$1].purchaseDate
    }
    kept.reserveCapacity(places.count)
    for place in places {
      guard let expires = transactions[place].expiresDate, let kind = transactions[place].kind else {
        continue
      }
      kept.append(Row(transaction: transactions[place], kind: kind, expires: expires))
    }
    if kept.indices.dropFirst().allSatisfy({ kept[$0 - 1].purchase < kept[$0].purchase }) { return }
    kept.sort { $0.id < $1.id }
    kept = Self.together(kept)
    kept.sort { Transaction.inOrder($0.transaction, $1.transaction) }
  }

  private static func together(_ rows: [Row]) -> [Row] {
    var kept: [Row] = []
    var places: [PurchaseKey: Int] = [:]
    for row in rows {
      let key = PurchaseKey(row.transaction)
      if let key, let place = places[key] {
        kept[place].duplicateIDs.append(row.id)
        kept[place].transaction.absorb(duplicate: row.transaction)
      } else {
        if let key { places[key] = kept.count }
        kept.append(row)
      }
    }
    return kept
  }
}

/// What two ids of one purchase have in common.
struct PurchaseKey: Hashable {
  private let item: WebOrderLineItemID
  private let product: ProductID
  private let purchase: Instant

  /// Nil where nothing tells: family-shared rows have no such id.
  init?(_ transaction: Transaction) {
    guard let item = transaction.webOrderLineItemID else { return nil }
    self.item = item
    product = transaction.productID
    purchase = transaction.purchaseDate
  }
}

extension Transaction {
  /// Apple may mark the refund or the upgrade on only one of the ids.
  mutating func absorb(duplicate other: Transaction) {
    isUpgraded = isUpgraded || other.isUpgraded
    if cancellationDate == nil {
      cancellationDate = other.cancellationDate
      cancellationReason = other.cancellationReason
    }
    if subscriptionGroupIdentifier == nil { subscriptionGroupIdentifier = other.subscriptionGroupIdentifier }
  }
}

/// METRICS §2: a row without a group takes that of the chain's other rows of the product, else the catalogue's.
struct SubscriptionGroups {
  private var stated: [ProductID: SubscriptionGroupID] = [:]
  private let catalog: Catalog

  init(_ rows: [Row], catalog: Catalog) {
    self.catalog = catalog
    // Asked of none of them otherwise.
    guard rows.contains(where: { $0.transaction.subscriptionGroupIdentifier == nil }) else { return }
    for row in rows {
      guard let group = row.transaction.subscriptionGroupIdentifier else { continue }
      stated[row.productID] = group
    }
  }

  func group(of transaction: Transaction) -> SubscriptionGroupID? {
    transaction.subscriptionGroupIdentifier ?? stated[transaction.productID]
      ?? catalog.group(of: transaction.productID)
  }
}
