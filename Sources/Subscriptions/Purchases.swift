/// One purchase with what was told of it under any of its ids: METRICS §1.3. A restore gives it another id; one is kept, the others are
/// noted.
struct Purchase {
  /// Under the id that is kept.
  var transaction: Transaction
  var duplicateIDs: [TransactionID] = []
  var sighting: Sighting?
  /// Earlier ends, oldest first, the present ones last; empty if they never changed.
  var endsHistory: [EndsObservation] = []
  /// The expiry that was seen first; `nil` if it never changed.
  var firstExpires: Instant?
}

extension Chain {
  /// A purchase that has one id.
  func purchase(_ transaction: Transaction) -> Purchase {
    var purchase = Purchase(transaction: transaction, sighting: sightings[transaction.transactionID])
    if !endsHistory.isEmpty, let history = endsHistory[transaction.transactionID], history.count > 1 {
      (purchase.endsHistory, purchase.firstExpires) = (history, history[0].ends.expiresDate)
    }
    return purchase
  }

  /// Merges what was told of one purchase under each of its ids. The first id is kept.
  func purchase(_ told: [Transaction]) -> Purchase {
    var purchase = purchase(told[0])
    guard told.count > 1 else { return purchase }
    purchase.duplicateIDs = told.dropFirst().map(\.transactionID)
    let histories = endsHistories(of: told)
    let history = together(histories)
    purchase.endsHistory = history.count > 1 ? history : []
    purchase.firstExpires =
      histories.compactMap(\.first).min {
        ($0.from, $0.ends.expiresDate ?? .distantFuture) < ($1.from, $1.ends.expiresDate ?? .distantFuture)
      }?.ends.expiresDate
    if let ends = history.last?.ends { purchase.transaction = Transaction(told, ends) }
    if let first = told.compactMap({ sightings[$0.transactionID]?.first }).min() {
      purchase.sighting = Sighting(first: first, latest: history.last?.from ?? first)
    }
    return purchase
  }

  /// What was told of the ends of a purchase under each of its ids. REFUND_REVERSED under one of them takes back what was told last
  /// before it under the others.
  private func endsHistories(of told: [Transaction]) -> [[EndsObservation]] {
    let ids = Set(told.map(\.transactionID))
    let reversals = notifications.filter {
      $0.type == .refundReversed && $0.transactionID.map(ids.contains) == true
    }.map(\.observedAt).sorted()
    return told.map { transaction in
      let from = sightings[transaction.transactionID]?.latest ?? .distantPast
      var history =
        endsHistory[transaction.transactionID]
        ?? [EndsObservation(ends: transaction.ends, from: from, through: from)]
      for at in reversals {
        guard let place = history.lastIndex(where: { $0.from < at }), history[place].through < at,
          place + 1 == history.count || history[place + 1].from > at,
          case var ends = history[place].ends, ends.cancellationDate != nil, !ends.isUpgraded
        else { continue }
        (ends.cancellationDate, ends.cancellationReason) = (nil, nil)
        history.insert(EndsObservation(ends: ends, from: at, through: at), at: place + 1)
      }
      return history
    }
  }

  /// The ends of a purchase that were known, oldest first: of each id the newest, and of the ids everything that any of them tells.
  private func together(_ histories: [[EndsObservation]]) -> [EndsObservation] {
    let changes = Set(histories.flatMap { $0.map(\.from) }).sorted()
    var known: [EndsObservation] = []
    for (place, from) in changes.enumerated() {
      let newest = histories.compactMap { $0.last { $0.from <= from } }.sorted { $0.from < $1.from }
      guard let ends = PeriodEnds(newest) else { continue }
      let next = place + 1 < changes.count ? changes[place + 1] : .distantFuture
      let through = newest.map { seen in
        seen.through < next
          ? seen.through : validations.last { $0 < next && $0 >= seen.from } ?? seen.from
      }.max()
      if known.last?.ends != ends { known.append(EndsObservation(ends: ends, from: from, through: from)) }
      known[known.count - 1].through = max(from, through ?? from)
    }
    return known
  }
}

extension PeriodEnds {
  /// What the ids of one purchase say together: a refund is dated by the newest word.
  ///
  /// - Parameter told: oldest first.
  fileprivate init?(_ told: [EndsObservation]) {
    guard var last = told.first else { return nil }
    for seen in told.dropFirst() {
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
  /// What was told of one purchase under several ids, under the first of them.
  ///
  /// - Parameter ends: what the ids say of its ends together.
  fileprivate init(_ told: [Transaction], _ ends: PeriodEnds) {
    self = told[0]
    for (place, other) in told.enumerated() {
      var other = other
      // The refund under this id is the purchase's, though another id may date it otherwise.
      if let date = ends.cancellationDate, let terms = other.terms {
        other.terms?.revocations = []
        for var revocation in terms.revocations {
          if revocation.date == other.cancellationDate { revocation.date = date }
          other.terms?.add(revocation)
        }
      }
      self = place == 0 ? other : filled(from: other)
    }
    (purchaseDate, self.ends) = (told[0].purchaseDate, ends)
  }
}

extension [Purchase] {
  /// Other ids, with the ids under which their purchases are kept.
  var duplicates: [TransactionID: TransactionID] {
    reduce(into: [:]) { kept, purchase in
      for id in purchase.duplicateIDs { kept[id] = purchase.transaction.transactionID }
    }
  }
}

/// The auto-renewable purchases of a chain, each once and in order.
struct Purchases {
  var kept: [Row] = []

  init(of chain: Chain) {
    let transactions = chain.transactions
    // By their dates alone, since rows are large: where no two begin together, none are of one purchase.
    let places = transactions.indices.filter { transactions[$0].expiresDate != nil }.sorted {
      transactions[$0].purchaseDate < transactions[$1].purchaseDate
    }
    kept.reserveCapacity(places.count)
    let areApart = zip(places, places.dropFirst()).allSatisfy {
      transactions[$0].purchaseDate < transactions[$1].purchaseDate
    }
    if areApart {
      kept = places.compactMap { Row(chain.purchase(transactions[$0])) }
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
    kept = groups.compactMap { Row(chain.purchase($0)) }.sorted {
      Transaction.inOrder($0.transaction, $1.transaction)
    }
  }
}

extension Row {
  /// `nil` if it does not renew.
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

/// What two ids of one purchase have in common.
struct PurchaseKey: Hashable {
  private let item: WebOrderLineItemID
  private let product: ProductID
  private let purchase: Instant

  /// `nil` for family-shared rows, which have no such id.
  init?(_ transaction: Transaction) {
    guard let item = transaction.webOrderLineItemID else { return nil }
    self.item = item
    product = transaction.productID
    purchase = transaction.purchaseDate
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
