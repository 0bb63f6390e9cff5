/// Evidence about one chain, from which its lines are derived.
public struct Chain: Hashable, Sendable {
  public var environment: StoreEnvironment
  public var originalTransactionID: OriginalTransactionID
  public var transactions: [Transaction]
  public var renewals: [RenewalObservation]
  public var users: Set<AppUserID>
  public var validatedAt: Instant?
  /// Time of status 21010 for a receipt of the chain; a later validation overrides it.
  public var goneAt: Instant?
  public var sightings: [TransactionID: Sighting] = [:]
  /// Versions of each transaction's end, oldest first; a transaction may be missing if its end never changed.
  public var endsHistory: [TransactionID: [EndsObservation]] = [:]
  /// Instant of the last validation that contained renewal infos.
  public var renewalsConfirmedAt: Instant?
  /// Instant at which each app user's receipt was first seen to contain the chain.
  public var holders: [AppUserID: Instant] = [:]
  public var notifications: [ServerNotification] = []
  public var renewalTerms: [RenewalTerms] = []
  public var bundleID: BundleID?
  /// Instants of the validations, sorted.
  public var validations: [Instant] = []
  public var renewalValidations: [Instant] = []

  public init(
    environment: StoreEnvironment, originalTransactionID: OriginalTransactionID,
    transactions: [Transaction] = [], renewals: [RenewalObservation] = [], users: Set<AppUserID> = [],
    validatedAt: Instant? = nil
  ) {
    (self.environment, self.originalTransactionID) = (environment, originalTransactionID)
    (self.transactions, self.renewals, self.users) = (transactions, renewals, users)
    self.validatedAt = validatedAt
  }

  /// One-time purchases, distinct and in order (METRICS §1.3).
  var oneTimePurchases: [Purchase] { OneTimePurchases(of: transactions, purchase).kept }

  public var oneTime: [Transaction] { oneTimePurchases.map(\.transaction) }

  public var oneTimeDuplicates: [TransactionID: TransactionID] { oneTimePurchases.duplicates }

  /// Returns the chain's lines; their positions and arrivals before `start` are incomplete.
  public func lines(catalog: Catalog, since start: Instant = .distantPast) -> [Line] {
    var rows = Purchases(of: transactions, purchase).kept
    for index in rows.indices {
      if catalog.isListedAsTrial(rows[index].transaction) { rows[index].kind = .trial }
      if !renewalTerms.isEmpty { rows[index].renewalTerms = renewalTerms(after: rows[index]) }
    }
    let observed = renewals.sorted(by: RenewalObservation.inOrder)
    var lines = rowsByLine(rows, catalog).map { id, rows in
      Line(
        id: id, rows: rows, renewals: observed, users: users, validatedAt: validatedAt, goneAt: goneAt,
        renewalsConfirmedAt: renewalsConfirmedAt, bundleID: bundleID)
    }
    if lines.count > 1 { lines.sort { $0.id.sortKey < $1.id.sortKey } }
    // Releases this reference to the rows, so that the rows in `lines` are changed without being copied.
    rows = []
    for place in lines.indices {
      lines[place].rows.relate(catalog: catalog, in: environment)
      lines[place].rows.findSignedRenewals()
    }
    // Assigns notifications before the timelines are derived, because positions depend on them.
    for var notification in lineNotifications {
      let place =
        lines.firstIndex { $0.row(of: notification) != nil }
        ?? lines.firstIndex { line in line.rows.contains { $0.productID == notification.productID } }
        ?? lines.indices.first
      guard let place else { continue }
      // A notification may name any id of the purchase (METRICS §1.3).
      if let row = lines[place].row(of: notification) { notification.transactionID = row.id }
      lines[place].notifications.append(notification)
    }
    lines.setValidations(of: self, since: start)
    return lines
  }

  private func rowsByLine(_ rows: [Row], _ catalog: Catalog) -> [(LineID, [Row])] {
    let groups = SubscriptionGroups(rows, catalog: catalog)
    func group(_ place: Int) -> SubscriptionGroupID? { groups.group(of: rows[place].transaction) }
    func isShared(_ place: Int) -> Bool { rows[place].transaction.inAppOwnershipType.isShared }
    func id(_ place: Int) -> LineID {
      LineID(
        environment: environment, originalTransactionID: originalTransactionID,
        subscriptionGroupID: group(place), isFamilyShared: isShared(place))
    }
    guard !rows.isEmpty else { return [] }
    let (first, isFirstShared) = (group(0), isShared(0))
    if rows.indices.allSatisfy({ group($0) == first && isShared($0) == isFirstShared }) {
      return [(id(0), rows)]
    }
    return Dictionary(grouping: rows.indices, by: id).map { ($0.key, $0.value.map { rows[$0] }) }
  }

  private func renewalTerms(after row: Row) -> RenewalTerms? {
    renewalTerms.first { $0.productID == row.productID && $0.renewalDate == row.expires }
  }

  private var lineNotifications: [ServerNotification] {
    guard !notifications.isEmpty else { return [] }
    let others = Set(ownNotifications)
    return notifications.filter { !others.contains($0) }.sorted(by: ServerNotification.inOrder)
  }

  /// Notifications about one-time purchases, or all notifications if the chain has no line.
  var ownNotifications: [ServerNotification] {
    guard !notifications.isEmpty else { return [] }
    let hasLine = transactions.contains { $0.expiresDate != nil }
    let oneTime = Set(transactions.lazy.filter { $0.expiresDate == nil }.map(\.transactionID))
    return notifications.filter { !hasLine || ($0.transactionID.map(oneTime.contains) ?? false) }
      .sorted(by: ServerNotification.inOrder)
  }

  private func purchase(_ transaction: Transaction) -> Purchase {
    var purchase = Purchase(transaction: transaction, sighting: sightings[transaction.transactionID])
    if !endsHistory.isEmpty, let history = endsHistory[transaction.transactionID], history.count > 1 {
      (purchase.endsHistory, purchase.firstExpires) = (history, history[0].ends.expiresDate)
    }
    return purchase
  }

  /// Returns the purchase merged from its transactions, under the id of the first.
  private func purchase(_ group: [Transaction]) -> Purchase {
    var purchase = purchase(group[0])
    guard group.count > 1 else { return purchase }
    purchase.duplicateIDs = group.dropFirst().map(\.transactionID)
    let histories = endsHistories(of: group)
    let history = together(histories)
    purchase.endsHistory = history.count > 1 ? history : []
    purchase.firstExpires =
      histories.compactMap(\.first).min {
        ($0.from, $0.ends.expiresDate ?? .distantFuture) < ($1.from, $1.ends.expiresDate ?? .distantFuture)
      }?.ends.expiresDate
    if let ends = history.last?.ends { purchase.transaction = Transaction(group, ends) }
    if let first = group.compactMap({ sightings[$0.transactionID]?.first }).min() {
      purchase.sighting = Sighting(first: first, latest: history.last?.from ?? first)
    }
    return purchase
  }

  /// Returns the observed ends of each id of a purchase.
  ///
  /// A REFUND_REVERSED for one id also reverses the latest earlier refund of the other ids.
  private func endsHistories(of group: [Transaction]) -> [[EndsObservation]] {
    let ids = Set(group.map(\.transactionID))
    let reversals = notifications.filter {
      $0.type == .refundReversed && $0.transactionID.map(ids.contains) == true
    }.map(\.observedAt).sorted()
    return group.map { transaction in
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

  /// Merges the histories of a purchase's ids; each entry merges the ends that all ids had at that time.
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

  /// Events of one-time purchases, transfers between app users, and notifications that belong to no line.
  public var ownEvents: [LineEvent] {
    let purchases = oneTimePurchases
    let kept = purchases.duplicates
    let notifications = ownNotifications.map { notification in
      var notification = notification
      notification.transactionID = notification.transactionID.map { kept[$0] ?? $0 }
      return notification
    }
    return (purchases.flatMap(events(of:)) + transfers).merged(with: notifications) {
      LineEvent($0, product: $0.productID ?? ProductID(""), newProduct: $0.autoRenewProductID)
    }.located(by: purchases.map(\.transaction))
  }

  private func events(of bought: Purchase) -> [LineEvent] {
    let purchase = bought.transaction
    let start = PurchaseEvent(
      type: .nonRenewingPurchase, apple: "ONE_TIME_CHARGE", effectiveAt: purchase.purchaseDate,
      observedAt: bought.sighting?.first ?? purchase.purchaseDate)
    return ([start] + bought.endings(validatedAt: validatedAt)).map { derived in
      var event = LineEvent(
        derived.type, apple: derived.apple, reason: derived.reason, environment: environment,
        chain: originalTransactionID, transaction: purchase.transactionID, product: purchase.productID,
        effectiveAt: derived.effectiveAt, observedAt: derived.observedAt, observedAfter: derived.observedAfter
      )
      event.isFamilyShare = purchase.inAppOwnershipType.isShared
      event.move(purchase.oneTimePrice, purchase.terms)
      return event
    }
  }

  /// Transfers between app users, dated when a receipt of the new user was first seen to contain the chain.
  private var transfers: [LineEvent] {
    let order = holders.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value < $1.value }
    guard order.count > 1, let newest = transactions.max(by: Transaction.inOrder) else { return [] }
    return zip(order, order.dropFirst()).map { before, holder in
      var event = LineEvent(
        .transfer, apple: "", environment: environment, chain: originalTransactionID,
        product: newest.productID,
        effectiveAt: holder.value, observedAt: holder.value, observedAfter: before.value)
      event.appUserID = holder.key
      return event
    }
  }
}

extension [Line] {
  fileprivate mutating func setValidations(of chain: Chain, since start: Instant) {
    let products = count > 1 ? map { Set($0.rows.map(\.productID)) } : []
    for place in indices {
      self[place].validations = chain.validations
      self[place].renewalValidations = chain.renewalValidations
      let others = products.indices.filter { $0 != place }.map { products[$0] }
      if !others.isEmpty {
        self[place].foreignProducts = others.reduce(into: Set()) { $0.formUnion($1) }.subtracting(
          products[place])
      }
      self[place].timeline = Timeline(of: self[place], since: start)
      self[place].markArrivals(since: start)
    }
  }
}

extension [Row] {
  /// Sets each row's `signedRenewal`, if Apple has signed the next row; the rows must be in order.
  fileprivate mutating func findSignedRenewals() {
    guard contains(where: { $0.transaction.terms != nil }) else { return }
    for place in indices {
      let (purchase, expires) = (self[place].purchase, self[place].expires)
      let next = self[(place + 1)...].prefix { $0.purchase <= expires + Milliseconds.day }
        .filter { $0.purchase > purchase && $0.purchase >= expires - Milliseconds.day }
        .compactMap(SignedRenewal.init)
      self[place].signedRenewal = next.first { $0.price != nil } ?? next.first
    }
  }
}
