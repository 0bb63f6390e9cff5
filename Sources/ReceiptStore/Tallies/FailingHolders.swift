import GRDB
import Subscriptions

/// Users with a line in grace or in billing retry: METRICS §2, User. A chain is its own where the app gave none.
struct FailingHolders {
  let db: Database

  private struct Holder: Hashable {
    /// Empty for a chain.
    var user = ""
    /// 0 for a user.
    var chain: Int64 = 0

    /// By bytes, as the store tells users apart: `String` takes two spellings of an accent for one.
    static func == (left: Self, right: Self) -> Bool {
      left.chain == right.chain && left.user.utf8.elementsEqual(right.user.utf8)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(chain)
      for byte in user.utf8 { hasher.combine(byte) }
    }
  }

  private struct Record: Hashable {
    /// Empty over all of them.
    var environment: String
    /// In how many environments at least.
    var level: Int
    var state: String
    var from: Instant
    var until: Instant

    /// What stands from the one instant to the other.
    func marks(times sign: Int64) -> [TallyMark] {
      let key = TallyKey.holder(state, in: StoreEnvironment(environment))
      // Who fails in two environments is one user of both.
      let value = TallyValue(count: level > 1 ? -sign : sign)
      return [TallyMark(from, key, value)] + (until < .distantFuture ? [TallyMark(until, key, -value)] : [])
    }
  }

  /// Looks again at the users of chains that changed.
  ///
  /// - Returns: what is to be added to the tallies.
  func settle() throws -> [TallyMark] {
    let due = try Int64.fetchAll(db.cachedStatement(sql: "SELECT chain_id FROM holders_due"))
    guard !due.isEmpty else { return [] }
    try db.cachedStatement(sql: "DELETE FROM holders_due").execute()
    let users = try db.cachedStatement(
      sql: """
        SELECT DISTINCT q.app_user_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
        WHERE k.chain_id = ? AND q.app_user_id <> ''
        """)
    var holders: Set<Holder> = []
    for chain in due {
      holders.insert(Holder(chain: chain))
      for user in try String.fetchAll(users, arguments: [chain]) { holders.insert(Holder(user: user)) }
    }
    return try holders.flatMap(update)
  }

  private func update(_ holder: Holder) throws -> [TallyMark] {
    let columns = "environment, level, state, from_ms, until_ms"
    let fetch = try db.cachedStatement(
      sql: "SELECT \(columns) FROM failing_holders WHERE app_user_id = ? AND chain_id = ?")
    let old = Set(
      try FetchedRow.fetchAll(fetch, arguments: [holder.user, holder.chain]).map { row in
        Record(environment: row[0], level: row[1], state: row[2], from: row[3], until: row[4])
      })
    let new = Set(Self.records(try spells(of: holder)))
    let delete = try db.cachedStatement(
      sql: """
        DELETE FROM failing_holders
        WHERE app_user_id = ? AND chain_id = ? AND environment = ? AND level = ? AND state = ? AND from_ms = ?
        """)
    for gone in old.subtracting(new) {
      try delete.execute(arguments: [
        holder.user, holder.chain, gone.environment, gone.level, gone.state, gone.from,
      ])
    }
    let insert = try db.cachedStatement(
      sql: "INSERT INTO failing_holders (app_user_id, chain_id, \(columns)) VALUES (?, ?, ?, ?, ?, ?, ?)")
    for record in new.subtracting(old) {
      try insert.execute(arguments: [
        holder.user, holder.chain, record.environment, record.level, record.state, record.from, record.until,
      ])
    }
    return old.subtracting(new).flatMap { $0.marks(times: -1) }
      + new.subtracting(old).flatMap { $0.marks(times: 1) }
  }

  private struct Spell {
    var environment: String
    var state: String
    var from: Instant
    var until: Instant
  }

  /// Each joined in this order: from the other end all that ever failed would be looked at for each user.
  private func spells(of holder: Holder) throws -> [Spell] {
    let source =
      holder.chain == 0
      ? """
      receipts q INDEXED BY receipts_user CROSS JOIN receipt_chains k ON k.receipt_id = q.id
        CROSS JOIN lines l ON l.chain_id = k.chain_id CROSS JOIN failings f ON f.line_id = l.id
      WHERE q.app_user_id = ? AND q.app_user_id <> ''
      """
      : """
      lines l CROSS JOIN failings f ON f.line_id = l.id WHERE l.chain_id = ? AND NOT EXISTS (
        SELECT 1 FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
        WHERE k.chain_id = l.chain_id AND q.app_user_id <> '')
      """
    let fetch = try db.cachedStatement(
      sql: """
        SELECT t.environment, t.detail, s.from_ms, s.until_ms
        FROM (SELECT f.key_id, f.from_ms, f.until_ms FROM \(source)) AS s CROSS JOIN tally_keys t ON t.id = s.key_id
        """)
    let arguments: StatementArguments = holder.chain == 0 ? [holder.user] : [holder.chain]
    return try FetchedRow.fetchAll(fetch, arguments: arguments).map { row in
      Spell(environment: row[0], state: row[1], from: row[2], until: row[3])
    }
  }

  private static func records(_ spells: [Spell]) -> [Record] {
    Dictionary(grouping: spells, by: \.state).flatMap { state, spells in
      var records: [Record] = []
      for (environment, spells) in Dictionary(grouping: spells, by: \.environment) {
        for stretch in Stretch.covered(spells.map { Stretch($0.from, $0.until) }, level: 1) {
          records.append(
            Record(
              environment: environment, level: 1, state: state, from: stretch.from, until: stretch.until))
        }
      }
      let single = records.map { Stretch($0.from, $0.until) }
      for level in Set(records.map(\.environment)).count < 2
        ? [] : Array(2...Set(records.map(\.environment)).count)
      {
        for stretch in Stretch.covered(single, level: level) {
          records.append(
            Record(environment: "", level: level, state: state, from: stretch.from, until: stretch.until))
        }
      }
      return records
    }
  }
}

/// From an instant to the first one after it.
private struct Stretch {
  var from: Instant
  var until: Instant

  init(_ from: Instant, _ until: Instant) { (self.from, self.until) = (from, until) }

  /// Where at least so many of them lie over each other.
  static func covered(_ stretches: [Stretch], level: Int) -> [Stretch] {
    var changes: [Instant: Int] = [:]
    for stretch in stretches where stretch.from < stretch.until {
      changes[stretch.from, default: 0] += 1
      changes[stretch.until, default: 0] -= 1
    }
    var (depth, begun): (Int, Instant?) = (0, nil)
    var covered: [Stretch] = []
    for (at, change) in changes.sorted(by: { $0.key < $1.key }) {
      depth += change
      if depth >= level, begun == nil { begun = at }
      if depth < level, let from = begun {
        covered.append(Stretch(from, at))
        begun = nil
      }
    }
    return covered
  }
}
