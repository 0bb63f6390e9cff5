import GRDB
import Subscriptions

/// Reads sums from the tallies.
struct TallyBook {
  typealias Sums = [TallyKey: TallyValue]

  let db: Database
  let keys: TallyKeys

  /// Sums of stretches of hours, each of them of one family.
  ///
  /// - Returns: in the order of the stretches.
  func sums(_ stretches: [Stretch]) throws -> [Sums] {
    var sums = [Sums](repeating: [:], count: stretches.count)
    let ranges = stretches.enumerated().flatMap { place, stretch in
      TallyRange.ranges(from: stretch.from, until: stretch.until).map { range in
        let layer = range.grain.layer(of: stretch.family)
        return "(\(place),\(layer),\(range.buckets.lowerBound),\(range.buckets.upperBound))"
      }
    }
    guard !ranges.isEmpty else { return sums }
    let sql = """
      WITH stretches(place, layer, low, high) AS (VALUES \(ranges.joined(separator: ",")))
      SELECT s.place, t.key_id, sum(t.count), sum(t.micros) FROM stretches s CROSS JOIN tallies t
      WHERE t.layer = s.layer AND t.bucket >= s.low AND t.bucket < s.high GROUP BY s.place, t.key_id
      """
    let rows = try FetchedRow.fetchCursor(db.makeStatement(sql: sql))
    while let row = try rows.next() {
      let value = TallyValue(count: row[2], micros: row[3])
      guard !value.isZero, let key = try keys.key(row[1], db) else { continue }
      sums[row[0]][key] = value
    }
    return sums
  }

  /// Hours of one family.
  struct Stretch {
    var family: TallyFamily
    /// Nil is the beginning of time.
    var from: Int64?
    /// First hour after it.
    var until: Int64
  }
}

extension TallyBook.Sums {
  mutating func add(_ key: TallyKey, _ value: TallyValue) {
    self[key] = self[key].map { $0 + value } ?? value
  }

  mutating func add(_ other: Self) { merge(other, uniquingKeysWith: +) }
}
