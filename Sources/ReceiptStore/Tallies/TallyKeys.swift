import GRDB
import Subscriptions
import Synchronization

/// The numbers under which tallies name their keys. A number is never given to another key, so that what was once read stays
/// true.
final class TallyKeys: Sendable {
  private let known = Mutex<[Int64: TallyKey]>([:])

  func key(_ id: Int64, _ db: Database) throws -> TallyKey? {
    if let key = known.withLock({ $0[id] }) { return key }
    let all = try FetchedRow.fetchAll(
      db.cachedStatement(sql: "SELECT id, family, environment, product_id, detail, currency FROM tally_keys"))
    let keys = Dictionary(
      all.compactMap { row in Self.key(row).map { (row[0] as Int64, $0) } }, uniquingKeysWith: { $1 })
    known.withLock { $0.merge(keys) { $1 } }
    return keys[id]
  }

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
