import GRDB
import Subscriptions
import Synchronization

/// A key as sums name it: one object for each, so that sums do not compare texts, with what its detail says read once.
final class KnownKey: Sendable, Hashable {
  let key: TallyKey
  /// Of `bought`.
  let bought: BoughtDetail?

  fileprivate init(_ key: TallyKey) {
    self.key = key
    bought = key.family == .bought ? BoughtDetail(key.detail) : nil
  }

  static func == (left: KnownKey, right: KnownKey) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The numbers under which tallies name their keys. A number is never given to another key, so that what was once read stays
/// true.
final class TallyKeys: Sendable {
  private struct Known {
    /// By their numbers in the table, which has no more of them than it ever gave away.
    var numbered: [KnownKey?] = []
    var byKey: [TallyKey: KnownKey] = [:]
    /// Up to which number the keys of a family were read.
    var read: [TallyFamily: Int] = [:]

    mutating func of(_ key: TallyKey) -> KnownKey {
      if let known = byKey[key] { return known }
      let new = KnownKey(key)
      byKey[key] = new
      return new
    }

    mutating func number(_ key: KnownKey, _ number: Int) {
      numbered += Array(repeating: nil, count: max(0, number + 1 - numbered.count))
      numbered[number] = key
    }
  }

  private let known = Mutex(Known())

  /// More keys than any store has. A table that says otherwise is damaged, and mended by a rebuild.
  static let most = 1_000_000

  /// The keys of some families by their numbers, any that were added to the table by now among them.
  func numbered(of families: Set<TallyFamily>, _ db: Database) throws -> [KnownKey?] {
    let last = try Int.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM tally_keys")) ?? 0
    guard last <= Self.most else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a tally key is numbered \(last)")
    }
    let statement = try db.cachedStatement(
      sql: """
        SELECT id, family, environment, product_id, detail, currency FROM tally_keys
        WHERE family = ? AND id > ? AND id <= ?
        """)
    for family in families {
      let read = known.withLock { $0.read[family] ?? 0 }
      guard read < last else { continue }
      let rows = try FetchedRow.fetchAll(statement, arguments: [family.rawValue, read, last])
      known.withLock { known in
        for row in rows {
          if let key = Self.key(row) { known.number(known.of(key), row[0]) }
        }
        known.read[family] = max(known.read[family] ?? 0, last)
      }
    }
    return known.withLock { $0.numbered }
  }

  func known(_ key: TallyKey) -> KnownKey { known.withLock { $0.of(key) } }

  private static func key(_ row: FetchedRow) -> TallyKey? {
    guard let family = TallyFamily(rawValue: row[1]) else { return nil }
    let currency: CurrencyCode = row[5]
    return TallyKey(
      family, StoreEnvironment(row[2] as String), product: row[3], detail: row[4],
      currency: currency.rawValue.isEmpty ? nil : currency)
  }

  /// The key's number, given to it where it has none yet.
  static func id(of key: TallyKey, _ db: Database) throws -> Int64 {
    let arguments: StatementArguments = [
      key.family.rawValue, key.environment.rawValue, key.product, key.detail, key.currency?.rawValue ?? "",
    ]
    let find = try db.cachedStatement(
      sql: """
        SELECT id FROM tally_keys
        WHERE family = ? AND environment = ? AND product_id = ? AND detail = ? AND currency = ?
        """)
    if let id = try Int64.fetchOne(find, arguments: arguments) { return id }
    let insert = try db.cachedStatement(
      sql: "INSERT INTO tally_keys (family, environment, product_id, detail, currency) VALUES (?, ?, ?, ?, ?)"
    )
    try insert.execute(arguments: arguments)
    return db.lastInsertedRowID
  }
}
