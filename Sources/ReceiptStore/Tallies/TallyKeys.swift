import GRDB
import Subscriptions
import Synchronization

/// A key as sums name it: one object for each, so that sums do not compare texts, with what its detail says read once.
final class KnownKey: Sendable, Hashable {
  let key: TallyKey
  /// Of `state`.
  let standing: StandingDetail?
  /// Of `bought`.
  let bought: BoughtDetail?
  /// Of `loss`.
  let loss: LossDetail?
  /// Of the turns of `loss` and `pending`.
  let lag: Lag?
  /// Of `leaver` and `longLeaver`.
  let reach: Leaving.Reach?

  fileprivate init(_ key: TallyKey) {
    self.key = key
    standing = key.family == .state ? StandingDetail(key.detail) : nil
    bought = key.family == .bought ? BoughtDetail(key.detail) : nil
    loss = key.family == .loss ? LossDetail(key.detail) : nil
    let isTurned = key.family == .loss || key.family == .pending
    lag = isTurned ? key.detail.utf8.split(separator: UInt8(ascii: " ")).last.map { Lag(Substring($0)) } : nil
    let isLeaver = key.family == .leaver || key.family == .longLeaver
    reach = isLeaver ? Leaving.Reach(key.detail) : nil
  }

  static func == (left: KnownKey, right: KnownKey) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The numbers under which tallies name their keys. A number is never given to another key, so that what was once read stays
/// true.
final class TallyKeys: Sendable {
  private struct Known {
    var byID: [Int64: KnownKey] = [:]
    var byKey: [TallyKey: KnownKey] = [:]

    mutating func of(_ key: TallyKey) -> KnownKey {
      if let known = byKey[key] { return known }
      let new = KnownKey(key)
      byKey[key] = new
      return new
    }
  }

  private let known = Mutex(Known())

  /// The keys by their numbers, and any that were added to the table by now.
  func all(_ db: Database) throws -> [Int64: KnownKey] {
    let last = try Int64.fetchOne(db.cachedStatement(sql: "SELECT max(id) FROM tally_keys")) ?? 0
    let keys = known.withLock { $0.byID }
    guard keys[last] == nil, last > 0 else { return keys }
    let rows = try FetchedRow.fetchAll(
      db.cachedStatement(sql: "SELECT id, family, environment, product_id, detail, currency FROM tally_keys"))
    return known.withLock { known in
      for row in rows {
        if let key = Self.key(row) { known.byID[row[0]] = known.of(key) }
      }
      return known.byID
    }
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
