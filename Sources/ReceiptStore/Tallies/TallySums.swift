import GRDB
import Subscriptions

/// What marks come to, on their way into the table: added up first, since those of a batch fall together.
struct TallySums {
  private struct Place: Hashable {
    var key: TallyKey
    var hour: Int64
  }

  private var sums: [Place: TallyValue] = [:]
  /// Whether an amount was so large that a sum of many might not fit.
  private(set) var isTooLarge = false

  /// A thousand million units of a currency, in micros: nine thousand of them fit into a sum.
  private static let largestAmount: UInt64 = 1_000_000_000_000_000

  var count: Int { sums.count }

  mutating func add(_ mark: TallyMark, times sign: Int64 = 1) {
    if mark.value.micros.magnitude > Self.largestAmount { isTooLarge = true }
    let value = sign < 0 ? -mark.value : mark.value
    let place = Place(key: mark.key, hour: hour(of: mark.at))
    sums[place, default: TallyValue()] = sums[place, default: TallyValue()] + value
  }

  /// Adds everything to the table, and forgets it.
  mutating func write(_ db: Database) throws {
    defer { sums.removeAll(keepingCapacity: true) }
    if isTooLarge { try db.execute(sql: "UPDATE tally_state SET is_complete = 0") }
    var ids: [TallyKey: Int64] = [:]
    var rows: [Row: TallyValue] = [:]
    for (place, value) in sums where !value.isZero {
      let id = try ids[place.key] ?? TallyKeys.id(of: place.key, db)
      ids[place.key] = id
      for grain in TallyGrain.allCases {
        let row = Row(layer: grain.layer(of: place.key.family), bucket: grain.bucket(of: place.hour), key: id)
        rows[row, default: TallyValue()] = rows[row, default: TallyValue()] + value
      }
    }
    // In the order of the table, so that one page after the other is written.
    for (row, value) in rows.sorted(by: { $0.key < $1.key }) where !value.isZero {
      try row.add(value, db)
    }
  }

  /// A row of the table.
  private struct Row: Hashable, Comparable {
    var layer: Int
    var bucket: Int64
    var key: Int64

    static func < (left: Self, right: Self) -> Bool {
      (left.layer, left.bucket, left.key) < (right.layer, right.bucket, right.key)
    }

    func add(_ value: TallyValue, _ db: Database) throws {
      let upsert = try db.cachedStatement(
        sql: """
          INSERT INTO tallies (layer, bucket, key_id, count, micros) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET count = count + excluded.count, micros = micros + excluded.micros
          RETURNING count = 0 AND micros = 0
          """)
      let isNothing = try Bool.fetchOne(
        upsert, arguments: [layer, bucket, key, value.count, value.micros])
      guard isNothing == true else { return }
      let delete = try db.cachedStatement(
        sql: "DELETE FROM tallies WHERE layer = ? AND bucket = ? AND key_id = ?")
      try delete.execute(arguments: [layer, bucket, key])
    }
  }
}
