/// Purchase with all of its transaction ids, because each restore adds an id (METRICS §1.3).
struct Purchase {
  /// Transaction merged from the transactions of all ids, under the smallest id.
  var transaction: Transaction
  var duplicateIDs: [TransactionID] = []
  var sighting: Sighting?
  var endsHistory: [EndsObservation] = []
  var firstExpires: Instant?
}

extension PeriodEnds {
  /// Merges sorted observations, so that the last observed cancellation wins; `nil` without observations.
  init?(_ observations: [EndsObservation]) {
    guard var last = observations.first else { return nil }
    for seen in observations.dropFirst() {
      let sum = last.ends.adding(seen.ends)
      let isNewer = seen.from > last.from && seen.ends.cancellationDate != nil
      last.ends = sum
      if isNewer {
        (last.ends.cancellationDate, last.ends.cancellationReason) = (
          seen.ends.cancellationDate, seen.ends.cancellationReason
        )
      }
      if seen.ends.cancellationDate != nil { last.from = seen.from }
    }
    self = last.ends
  }
}

extension Transaction {
  init(_ copies: [Transaction], _ ends: PeriodEnds) {
    self = copies[0]
    for (place, other) in copies.enumerated() {
      var other = other
      // A refund of this id is the refund of the purchase, so its date becomes the merged date.
      if let date = ends.cancellationDate, let terms = other.terms {
        other.terms?.revocations = []
        for var revocation in terms.revocations {
          if revocation.date == other.cancellationDate { revocation.date = date }
          other.terms?.add(revocation)
        }
      }
      self = place == 0 ? other : filled(from: other)
    }
    (purchaseDate, self.ends) = (copies[0].purchaseDate, ends)
  }
}

extension [Purchase] {
  var duplicates: [TransactionID: TransactionID] {
    reduce(into: [:]) { kept, purchase in
      for id in purchase.duplicateIDs { kept[id] = purchase.transaction.transactionID }
    }
  }
}

/// Distinct auto-renewable purchases of a chain, in order.
struct Purchases {
  var kept: [Row] = []

  init(of transactions: [Transaction], _ purchase: ([Transaction]) -> Purchase) {
    // Sorts indices, because transactions are large. If all dates differ, every purchase has a single id.
    let places = transactions.indices.filter { transactions[$0].expiresDate != nil }.sorted {
      transactions[$0].purchaseDate < transactions[$1].purchaseDate
    }
    kept.reserveCapacity(places.count)
    let areApart = zip(places, places.dropFirst()).allSatisfy {
      transactions[$0].purchaseDate < transactions[$1].purchaseDate
    }
    if areApart {
      kept = places.compactMap { Row(purchase([transactions[$0]])) }
      return
    }
    var groups: [[Transaction]] = []
    var found: [PurchaseKey: Int] = [:]
    for transaction in places.map({ transactions[$0] }).sorted(by: { $0.transactionID < $1.transactionID }) {
      let key = PurchaseKey(transaction)
      if let key, let place = found[key] {
        groups[place].append(transaction)
      } else {
        if let key { found[key] = groups.count }
        groups.append([transaction])
      }
    }
    kept = groups.compactMap { Row(purchase($0)) }.sorted {
      Transaction.inOrder($0.transaction, $1.transaction)
    }
  }
}

extension Row {
  fileprivate init?(_ purchase: Purchase) {
    guard let expires = purchase.transaction.expiresDate, let kind = purchase.transaction.kind else {
      return nil
    }
    self.init(transaction: purchase.transaction, kind: kind, expires: expires)
    duplicateIDs = purchase.duplicateIDs
    sighting = purchase.sighting
    (endsHistory, firstExpires) = (purchase.endsHistory, purchase.firstExpires)
  }
}

struct PurchaseKey: Hashable {
  private let item: WebOrderLineItemID
  private let product: ProductID
  private let purchase: Instant

  /// Creates the key that all ids of a purchase share; `nil` without a `web_order_line_item_id`.
  init?(_ transaction: Transaction) {
    guard let item = transaction.webOrderLineItemID else { return nil }
    self.item = item
    product = transaction.productID
    purchase = transaction.purchaseDate
  }
}

/// Subscription groups of a chain's rows (METRICS §2).
///
/// A row without a group takes the group of other rows of its product, or else the catalog's group.
struct SubscriptionGroups {
  private var stated: [ProductID: SubscriptionGroupID] = [:]
  private let catalog: Catalog

  init(_ rows: [Row], catalog: Catalog) {
    self.catalog = catalog
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
