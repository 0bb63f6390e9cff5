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
  var sortKey: (String, Int) { (subscriptionGroupID?.rawValue ?? "", isFamilyShared ? 1 : 0) }
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
  /// When the chain was validated, sorted.
  public var validations: [Instant] = []
  /// Those of them that had renewal infos.
  public var renewalValidations: [Instant] = []
  /// Products of the chain's other lines.
  public var foreignProducts: Set<ProductID> = []
  /// What follows from all of it but the users.
  public internal(set) var timeline = Timeline()

  public var isFamilyShared: Bool { id.isFamilyShared }

  /// METRICS §1.6: when status 21010 said that the account is gone; `nil` if a later answer had data.
  var lastWord: Instant? {
    goneAt.flatMap { gone in validatedAt.map { $0 < gone } ?? true ? gone : nil }
  }

  /// What METRICS §2 counts as users: the app's own, or the chain where it gave none.
  public var userKeys: Set<String> {
    users.isEmpty ? ["chain \(id.environment) \(id.originalTransactionID)"] : Set(users.map(Self.key))
  }

  private static func key(of user: AppUserID) -> String { "user \(user)" }

  /// Tells users apart: 64 bits of a hash of whoever METRICS §2 counts for the line; nil where these are several.
  public var userNumber: Int64? { userKeys.count == 1 ? userKeys.first.map(Self.number) : nil }

  /// The same of one of several.
  public static func userNumber(of user: AppUserID) -> Int64 { number(of: key(of: user)) }

  private static func number(of key: String) -> Int64 {
    var hash = StableHash()
    hash.add(key)
    return Int64(truncatingIfNeeded: hash.value ^ (hash.value >> 64))
  }
}
