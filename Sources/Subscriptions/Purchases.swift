/// METRICS §1.3: a restore gives one purchase another id; one is kept and the others are noted.
struct Purchases {
  var kept: [Row] = []

  init(of transactions: [Transaction]) {
    struct Key: Hashable {
      let item: WebOrderLineItemID
      let product: ProductID
      let purchase: Instant
    }
    var places: [Key: Int] = [:]
    for transaction in transactions.sorted(by: { $0.transactionID < $1.transactionID }) {
      guard let expires = transaction.expiresDate, let kind = transaction.kind else { continue }
      let row = Row(transaction: transaction, kind: kind, expires: expires)
      guard let item = transaction.webOrderLineItemID else {
        kept.append(row)
        continue
      }
      let key = Key(item: item, product: transaction.productID, purchase: transaction.purchaseDate)
      if let place = places[key] {
        kept[place].absorb(duplicate: transaction)
      } else {
        places[key] = kept.count
        kept.append(row)
      }
    }
    kept.sort { Transaction.inOrder($0.transaction, $1.transaction) }
  }
}

extension Row {
  /// Apple may mark the refund or the upgrade on only one of the ids.
  fileprivate mutating func absorb(duplicate other: Transaction) {
    duplicateIDs.append(other.transactionID)
    transaction.isUpgraded = transaction.isUpgraded || other.isUpgraded
    if transaction.cancellationDate == nil {
      transaction.cancellationDate = other.cancellationDate
      transaction.cancellationReason = other.cancellationReason
    }
    if transaction.subscriptionGroupIdentifier == nil {
      transaction.subscriptionGroupIdentifier = other.subscriptionGroupIdentifier
    }
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
