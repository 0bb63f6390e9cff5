/// What names a line: a chain within one subscription group of one environment.
public struct LineID: Hashable, Sendable {
  public var environment: StoreEnvironment
  public var originalTransactionID: OriginalTransactionID
  /// Nil where neither Apple nor the catalogue names a group.
  public var subscriptionGroupID: SubscriptionGroupID?
  /// Whether its rows came by family sharing: counted beside, never inside.
  public var isFamilyShared: Bool

  public init(
    environment: StoreEnvironment, originalTransactionID: OriginalTransactionID,
    subscriptionGroupID: SubscriptionGroupID?, isFamilyShared: Bool = false
  ) {
    self.environment = environment
    self.originalTransactionID = originalTransactionID
    self.subscriptionGroupID = subscriptionGroupID
    self.isFamilyShared = isFamilyShared
  }
}

extension LineID {
  /// Within a chain: by group, the purchased before the shared.
  fileprivate var sortKey: (String, Int) { (subscriptionGroupID?.rawValue ?? "", isFamilyShared ? 1 : 0) }
}

/// One subscription: the rows of a chain within one subscription group, in order and de-duplicated.
public struct Line: Hashable, Sendable {
  public var id: LineID
  public var rows: [Row]
  /// Every changed renewal info of the chain, oldest first.
  public var renewals: [RenewalObservation]
  /// The users of the receipts that hold the line; empty where the app gave none.
  public var users: Set<AppUserID>
  /// Apple's clock at the last answer that covered the line.
  public var validatedAt: Instant?
  /// When status 21010 said that the account behind the line is gone.
  public var goneAt: Instant?
  /// The last validation that had renewal infos: it showed the newest.
  public var renewalsConfirmedAt: Instant?
  /// The app whose receipts hold the line; nil where no answer named it.
  public var bundleID: BundleID?
  /// What notifications told of the line, oldest first.
  public var notifications: [ServerNotification] = []

  public var isFamilyShared: Bool { id.isFamilyShared }

  /// What METRICS §2 counts as users: the app's own, or the chain where it gave none.
  public var userKeys: Set<String> {
    users.isEmpty ? ["chain \(id.originalTransactionID)"] : Set(users.map { "user \($0)" })
  }
}

/// When validations showed a transaction, by Apple's clock.
public struct Sighting: Hashable, Sendable {
  public var first: Instant
  /// The first validation that showed it with the values it has now.
  public var latest: Instant

  public init(first: Instant, latest: Instant) {
    self.first = first
    self.latest = latest
  }
}

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
  /// The app whose receipts hold the chain.
  public var bundleID: BundleID?

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
    }
    let groups = SubscriptionGroups(transactions: purchases.kept.map(\.transaction), catalog: catalog)
    let byID = Dictionary(grouping: purchases.kept) { row in
      LineID(
        environment: environment, originalTransactionID: originalTransactionID,
        subscriptionGroupID: groups.group(of: row.transaction),
        isFamilyShared: row.transaction.inAppOwnershipType == .familyShared)
    }
    let observed = renewals.sorted(by: RenewalObservation.inOrder)
    let snapshots = Snapshots(observed, confirmedAt: renewalsConfirmedAt)
    var lines = byID.map { id, rows in
      Line(
        id: id, rows: rows.related(catalog: catalog, snapshots: snapshots), renewals: observed, users: users,
        validatedAt: validatedAt, goneAt: goneAt, renewalsConfirmedAt: renewalsConfirmedAt, bundleID: bundleID
      )
    }
    .sorted { $0.id.sortKey < $1.id.sortKey }
    for notification in notifications.sorted(by: ServerNotification.inOrder) {
      guard let place = lines.firstIndex(where: { $0.concerns(notification) }) ?? lines.indices.first else {
        break
      }
      lines[place].notifications.append(notification)
    }
    return lines
  }
}

extension Line {
  /// Whether a notification speaks of a row of the line, or at least of a product that it has had.
  fileprivate func concerns(_ notification: ServerNotification) -> Bool {
    if let id = notification.transactionID,
      rows.contains(where: { $0.id == id || $0.duplicateIDs.contains(id) })
    {
      return true
    }
    return rows.contains { $0.productID == notification.productID }
  }
}

/// METRICS §1.3: a restore gives one purchase another id; one is kept and the others are noted.
private struct Purchases {
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
private struct SubscriptionGroups {
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
