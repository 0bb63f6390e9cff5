import GRDB
import Subscriptions
import Synchronization

/// A key as sums name it: one object for each, so that sums do not compare texts, with what its detail says read once.
final class KnownKey: Sendable, Hashable {
  let key: TallyKey
  /// Among all that are known, from 0 on: where lists have a place for each.
  let index: Int
  /// What a turn tells apart from its lag: the same for all keys that count together.
  let kind: TurnKind
  /// Of `state`.
  let standing: StandingDetail?
  /// Of `bought`.
  let bought: BoughtDetail?
  /// Of the turns of losses.
  let loss: LossDetail?
  /// Of turns.
  let lag: Lag?
  /// Of `leaving`.
  let leaving: Leaving.Detail?

  fileprivate init(_ key: TallyKey, index: Int, kind: (KnownKey.Said) -> TurnKind) {
    self.key = key
    self.index = index
    standing = key.family == .state ? StandingDetail(key.detail) : nil
    bought = key.family == .bought ? BoughtDetail(key.detail) : nil
    loss = [.loss, .lossToCome].contains(key.family) ? LossDetail(key.detail) : nil
    let isTurned = [.loss, .pending, .lossToCome, .pendingToCome].contains(key.family)
    lag = isTurned ? key.detail.utf8.split(separator: UInt8(ascii: " ")).last.map { Lag(Substring($0)) } : nil
    leaving = key.family == .leaving ? Leaving.Detail(key.detail) : nil
    self.kind = kind(Said(product: key.product, loss: loss))
  }

  fileprivate struct Said: Hashable {
    var product: ProductID
    var loss: LossDetail?
  }

  static func == (left: KnownKey, right: KnownKey) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What is lost or awaited.
struct TurnKind: Sendable {
  /// Among all kinds, from 0 on.
  var index: Int
  var product: ProductID
  /// Where lines were lost.
  var loss: LossDetail?
}

/// The numbers under which tallies name their keys. A number is never given to another key, so that what was once read stays
/// true.
final class TallyKeys: Sendable {
  private struct Known {
    /// By their numbers in the table, which has no more of them than it ever gave away.
    var numbered: [KnownKey?] = []
    var byKey: [TallyKey: KnownKey] = [:]
    var byFamily: [TallyFamily: [KnownKey]] = [:]
    var kinds: [KnownKey.Said: TurnKind] = [:]
    /// Up to which number the keys of a family were read.
    var read: [TallyFamily: Int] = [:]

    mutating func of(_ key: TallyKey) -> KnownKey {
      if let known = byKey[key] { return known }
      let new = KnownKey(key, index: byKey.count) { said in
        let kind = kinds[said] ?? TurnKind(index: kinds.count, product: said.product, loss: said.loss)
        kinds[said] = kind
        return kind
      }
      byKey[key] = new
      byFamily[key.family, default: []].append(new)
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

  /// Those of a family, as far as they are known.
  func known(of family: TallyFamily) -> [KnownKey] { known.withLock { $0.byFamily[family] ?? [] } }

  /// How many keys there are, and how many kinds of them.
  var counts: (keys: Int, kinds: Int) { known.withLock { ($0.byKey.count, $0.kinds.count) } }

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
