/// Everything known of one chain, in any order: what lines are made from.
public struct Chain: Hashable, Sendable {
  public var environment: StoreEnvironment
  public var originalTransactionID: OriginalTransactionID
  public var transactions: [Transaction]
  public var renewals: [RenewalObservation]
  public var users: Set<AppUserID>
  public var validatedAt: Instant?
  /// When status 21010 was answered for a receipt that holds the chain; a later validation takes it back.
  public var goneAt: Instant?
  /// When each transaction was first seen, and when it was first seen as it is now.
  public var sightings: [TransactionID: Sighting] = [:]
  /// Earlier ends of a transaction, oldest first, the present ones last; absent where they never changed.
  public var endsHistory: [TransactionID: [EndsObservation]] = [:]
  /// The last validation that had renewal infos: it showed the newest.
  public var renewalsConfirmedAt: Instant?
  /// The app's users, each with the instant at which a receipt of theirs was first seen to hold the chain.
  public var holders: [AppUserID: Instant] = [:]
  /// What notifications told of the chain.
  public var notifications: [ServerNotification] = []
  /// What renewals will cost, or would have, as Apple signed it last.
  public var renewalTerms: [RenewalTerms] = []
  /// The app whose receipts hold the chain.
  public var bundleID: BundleID?
  /// When it was validated, sorted.
  public var validations: [Instant] = []
  /// Those validations that had renewal infos.
  public var renewalValidations: [Instant] = []

  public init(
    environment: StoreEnvironment, originalTransactionID: OriginalTransactionID,
    transactions: [Transaction] = [], renewals: [RenewalObservation] = [], users: Set<AppUserID> = [],
    validatedAt: Instant? = nil
  ) {
    self.environment = environment
    self.originalTransactionID = originalTransactionID
    self.transactions = transactions
    self.renewals = renewals
    self.users = users
    self.validatedAt = validatedAt
  }

  /// Kept and shown, outside every subscription figure; each purchase once, METRICS §1.3.
  public var oneTime: [Transaction] {
    OneTimePurchases(of: transactions).kept.sorted(by: Transaction.inOrder)
  }

  /// Other ids of one-time purchases, with the ids under which these are kept.
  public var oneTimeDuplicates: [TransactionID: TransactionID] {
    OneTimePurchases(of: transactions).duplicates
  }

  /// The chain's lines, sorted by group.
  public func lines(catalog: Catalog) -> [Line] {
    var purchases = Purchases(of: transactions.filter { $0.expiresDate != nil })
    for index in purchases.kept.indices {
      purchases.kept[index].sighting = sightings[purchases.kept[index].id]
      purchases.kept[index].endsHistory = endsHistory[purchases.kept[index].id] ?? []
      purchases.kept[index].renewalTerms = renewalTerms(after: purchases.kept[index])
    }
    let groups = SubscriptionGroups(transactions: purchases.kept.map(\.transaction), catalog: catalog)
    let byID = Dictionary(grouping: purchases.kept) { row in
      LineID(
        environment: environment, originalTransactionID: originalTransactionID,
        subscriptionGroupID: groups.group(of: row.transaction),
        isFamilyShared: row.transaction.inAppOwnershipType.isShared)
    }
    let observed = renewals.sorted(by: RenewalObservation.inOrder)
    var lines = byID.map { id, rows in
      Line(
        id: id, rows: rows.related(catalog: catalog), renewals: observed, users: users,
        validatedAt: validatedAt, goneAt: goneAt, renewalsConfirmedAt: renewalsConfirmedAt, bundleID: bundleID
      )
    }
    .sorted { $0.id.sortKey < $1.id.sortKey }
    lines.setValidations(of: self)
    for notification in lineNotifications {
      let place =
        lines.firstIndex { $0.row(of: notification) != nil }
        ?? lines.firstIndex { line in line.rows.contains { $0.productID == notification.productID } }
        ?? lines.indices.first
      if let place { lines[place].notifications.append(notification) }
    }
    return lines
  }

  private func renewalTerms(after row: Row) -> RenewalTerms? {
    renewalTerms.first { $0.productID == row.productID && $0.renewalDate == row.expires }
  }

  /// Those that speak of a subscription.
  private var lineNotifications: [ServerNotification] {
    let others = Set(ownNotifications)
    return notifications.filter { !others.contains($0) }.sorted(by: ServerNotification.inOrder)
  }

  /// Those that speak of a purchase that does not renew; all where the chain has no line.
  var ownNotifications: [ServerNotification] {
    let hasLine = transactions.contains { $0.expiresDate != nil }
    let oneTime = Set(transactions.lazy.filter { $0.expiresDate == nil }.map(\.transactionID))
    return notifications.filter { !hasLine || ($0.transactionID.map(oneTime.contains) ?? false) }
      .sorted(by: ServerNotification.inOrder)
  }
}

extension [Line] {
  /// What the lines know of one another and of the chain's validations.
  fileprivate mutating func setValidations(of chain: Chain) {
    let products = map { Set($0.rows.map(\.productID)) }
    for place in indices {
      self[place].validations = chain.validations
      self[place].renewalValidations = chain.renewalValidations
      let others = products.indices.filter { $0 != place }.map { products[$0] }
      self[place].foreignProducts = others.reduce(into: Set()) { $0.formUnion($1) }.subtracting(
        products[place])
      self[place].timeline = Timeline(of: self[place])
      self[place].markArrivals()
    }
  }
}
