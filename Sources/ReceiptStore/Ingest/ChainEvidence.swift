import GRDB
import Subscriptions

/// What the tables hold of a chain.
struct ChainEvidence: Sendable {
  var record: ChainRecord
  var transactions: [StoredTransaction] = []
  var renewals: [StoredRenewal] = []
  /// What full answers showed of transactions that changed, by row.
  var full: StoredHistories.StoredRuns = [:]
  /// The same of partial ones.
  var partial: StoredHistories.StoredRuns = [:]
  var notifications: [ServerNotification] = []
  var renewalTerms: [RenewalTerms] = []
  var holders = ChainHolders()
  /// Where the record tells none.
  private var otherLog: ValidationLog?

  init(record: ChainRecord) { self.record = record }

  /// Read when it is used, which is on another thread where several derive.
  var log: ValidationLog { record.log ?? otherLog ?? ValidationLog() }

  /// Chains that follow each other, in the order of their numbers. Each table is read for all of them at once: chain by chain, to ask
  /// took longer than to read.
  ///
  /// - Parameters:
  ///   - last: the one before them.
  ///   - knownAt: what was seen later may be left out, and so is what was derived; nil is everything.
  static func fetch(
    after last: Int64, atMost count: Int64, knownAt: Instant? = nil, _ shapes: Shapes, _ db: Database
  ) throws -> [ChainEvidence] {
    var statement = try BoundStatement(
      "SELECT \(ChainRecord.columns) FROM chains c WHERE c.id > ? ORDER BY c.id LIMIT ?", db)
    statement.bind(last)
    statement.bind(count)
    var chains: [ChainEvidence] = []
    try statement.forEach { chains.append(ChainEvidence(record: ChainRecord($0))) }
    try fill(&chains, knownAt: knownAt, shapes, db)
    return chains
  }

  static func fetch(
    _ record: ChainRecord, knownAt: Instant? = nil, _ shapes: Shapes, _ db: Database
  ) throws -> ChainEvidence {
    var chains = [ChainEvidence(record: record)]
    try fill(&chains, knownAt: knownAt, shapes, db)
    return chains[0]
  }

  private static func fill(
    _ chains: inout [ChainEvidence], knownAt: Instant?, _ shapes: Shapes, _ db: Database
  ) throws {
    try StoredTransaction.fetch(into: &chains, knownAt: knownAt, shapes, db)
    try StoredRenewal.fetch(into: &chains, db)
    try StoredHistories.fetch(into: &chains, db)
    try NotificationRecord.fetch(into: &chains, db)
    try StoredRenewalTerms(db: db).fetch(into: &chains)
    try ChainHolders.fetch(into: &chains, db)
    for place in chains.indices where chains[place].record.log == nil {
      chains[place].otherLog = try chains[place].record.log(db)
    }
  }
}

/// Whose receipts hold a chain, and of which app.
struct ChainHolders: Sendable {
  /// Each with when a receipt of theirs was first seen to hold it.
  var users: [AppUserID: Instant] = [:]
  var app: BundleID?

  /// Reads those of chains that follow each other.
  static func fetch(into chains: inout [ChainEvidence], _ db: Database) throws {
    var statement = try BoundStatement(
      """
      SELECT k.chain_id, k.first_observed_at_ms, q.app_user_id, q.bundle_id
      FROM receipt_chains k CROSS JOIN receipts q ON q.id = k.receipt_id WHERE k.chain_id BETWEEN ? AND ?
      ORDER BY k.chain_id, k.receipt_id
      """, db)
    var places = ChainPlaces(chains, &statement)
    try statement.forEach { row in
      guard let place = places.place(of: row[0]), let since = row.instant(1) else { return }
      if chains[place].holders.app == nil { chains[place].holders.app = row.text(3) }
      guard let user: String = row.text(2), !user.isEmpty else { return }
      chains[place].holders.users[AppUserID(user), default: since] = min(
        since, chains[place].holders.users[AppUserID(user)] ?? since)
    }
  }
}

/// Where rows belong that come in the order of their chains.
struct ChainPlaces {
  private let ids: [Int64]
  private var next = 0

  /// Binds the first and the last number of the chains.
  init(_ chains: [ChainEvidence], _ statement: inout BoundStatement) {
    ids = chains.map(\.record.id)
    statement.bind(ids.first ?? 1)
    statement.bind(ids.last ?? 0)
  }

  mutating func place(of chain: Int64) -> Int? {
    while next < ids.count, ids[next] < chain { next += 1 }
    return next < ids.count && ids[next] == chain ? next : nil
  }
}
