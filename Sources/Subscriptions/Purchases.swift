/// METRICS §1.3: a restore gives one purchase another id; one is kept and the others are noted.
struct Purchases {
  var kept: [Row] = []

  init(of transactions: [Transaction]) {
    var places: [PurchaseKey: Int] = [:]
    for transaction in transactions.sorted(by: { $0.transactionID < $1.transactionID }) {
      guard let expires = transaction.expiresDate, let kind = transaction.kind else { continue }
      let row = Row(transaction: transaction, kind: kind, expires: expires)
      let key = PurchaseKey(transaction)
      if let key, let place = places[key] {
        kept[place].duplicateIDs.append(transaction.transactionID)
        kept[place].transaction.absorb(duplicate: transaction)
      } else {
        if let key { places[key] = kept.count }
        kept.append(row)
      }
    }
    kept.sort { Transaction.inOrder($0.transaction, $1.transaction) }
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

  init(transactions: [Transaction], catalog: Catalog) {
    self.catalog = catalog
    for transaction in transactions {
      guard let group = transaction.subscriptionGroupIdentifier else { continue }
      stated[transaction.productID] = group
    }
  }

  func group(of transaction: Transaction) -> SubscriptionGroupID? {
    transaction.subscriptionGroupIdentifier ?? stated[transaction.productID]
      ?? catalog.group(of: transaction.productID)
  }
}
