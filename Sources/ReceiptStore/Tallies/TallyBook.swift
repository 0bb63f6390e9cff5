import GRDB
import Subscriptions

/// Reads sums from the tallies.
struct TallyBook {
  typealias Sums = [KnownKey: TallyValue]

  let db: Database
  let keys: TallyKeys

  /// Sums of stretches of minutes, each of them of one family.
  ///
  /// - Returns: in the order of the stretches.
  func sums(_ stretches: [Stretch]) throws -> [Sums] {
    let numbers = try keys.all(db)
    var statement = try BoundStatement(
      "SELECT key_id, count, micros FROM tallies WHERE layer = ? AND bucket >= ? AND bucket < ?", db)
    return try stretches.map { stretch in
      var sums: [Int64: TallyValue] = [:]
      for range in TallyRange.ranges(from: stretch.from, until: stretch.until) {
        statement.bind(range.grain.layer(of: stretch.family))
        statement.bind(range.buckets.lowerBound)
        statement.bind(range.buckets.upperBound)
        try statement.forEach { row in
          sums[row[0], default: TallyValue()].add(TallyValue(count: row[1], micros: row[2]))
        }
      }
      var known = Sums(minimumCapacity: sums.count)
      for (number, value) in sums where !value.isZero {
        // Ids that differ in their bytes alone are one key here, as they are one in `String`.
        if let key = numbers[number] { known.add(key, value) }
      }
      return known
    }
  }

  /// Minutes of one family.
  struct Stretch {
    var family: TallyFamily
    /// Nil is the beginning of time.
    var from: Int64?
    /// First minute after it.
    var until: Int64
  }
}

extension TallyBook.Sums {
  mutating func add(_ key: KnownKey, _ value: TallyValue) {
    self[key, default: TallyValue()].add(value)
  }

  mutating func add(_ other: Self) {
    for (key, value) in other { add(key, value) }
  }
}
