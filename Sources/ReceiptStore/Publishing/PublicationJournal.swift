import GRDB

/// Chains and sums that one commit changed, for `subtop publish`; written only in a published store.
struct PublicationJournal {
  private var chains: Set<Int64> = []
  private var hasSums = false
  /// Whether the store has been published; `nil` until this is read.
  private var isOn: Bool?

  /// Records a chain whose rows or validation changed; after a rollback, it is published again unchanged.
  mutating func note(chain: Int64) { chains.insert(chain) }

  /// Records a changed row of `sums`, whose series, grain and bucket number are `key`.
  mutating func note(sums key: StatementArguments, _ db: Database) throws {
    guard try isPublishing(db) else { return }
    hasSums = true
    try db.run(
      """
      INSERT OR REPLACE INTO changed_sums (series, grain, at, seq)
      VALUES (?, ?, ?, (SELECT journal_seq + 1 FROM publication))
      """, key)
  }

  mutating func write(_ db: Database) throws {
    defer {
      chains.removeAll(keepingCapacity: true)
      hasSums = false
    }
    guard !chains.isEmpty || hasSums, try isPublishing(db) else { return }
    var insert = try BoundStatement(
      """
      INSERT OR REPLACE INTO changed_chains (chain_id, seq)
      VALUES (?, (SELECT journal_seq + 1 FROM publication))
      """, db)
    for chain in chains.sorted() {
      insert.bind(chain)
      try insert.execute()
    }
    try Self.advance(db)
  }

  private mutating func isPublishing(_ db: Database) throws -> Bool {
    if let isOn { return isOn }
    let found = try Int.first(db, "SELECT 1 FROM publication") != nil
    isOn = found
    return found
  }

  /// Records every stored sum, before a rebuild deletes them.
  static func noteAllSums(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO changed_sums (series, grain, at, seq)
        SELECT series, grain, at, journal_seq + 1 FROM sums, publication
        """)
    try advance(db)
  }

  private static func advance(_ db: Database) throws {
    try db.execute(sql: "UPDATE publication SET journal_seq = journal_seq + 1")
  }
}
