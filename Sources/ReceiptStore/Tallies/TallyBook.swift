import GRDB
import Subscriptions

/// Reads sums from the tallies.
struct TallyBook {
  typealias Sums = [KnownKey: TallyValue]
  typealias List = [(key: KnownKey, value: TallyValue)]

  let db: Database
  let keys: TallyKeys
  /// Whose keys are read, and perhaps others beside them.
  let scope: EnvironmentScope

  /// Sums of stretches of time, each of them of one family.
  ///
  /// - Parameter scope: nil is the book's.
  /// - Returns: in the order of the stretches.
  func sums(_ stretches: [Stretch], scope: EnvironmentScope? = nil) throws -> [Sums] {
    var sums = [Sums](repeating: [:], count: stretches.count)
    try read(stretches, scope: scope) { sums[$0].add($1, $2) }
    return sums
  }

  /// The same, one after the other.
  ///
  /// - Parameter take: is told each sum that is not zero, with the place of its stretch.
  func read(
    _ stretches: [Stretch], scope: EnvironmentScope? = nil, _ take: (Int, KnownKey, TallyValue) -> Void
  ) throws {
    let known = try keys.numbered(of: Set(stretches.map(\.family)), db)
    var statement = try BoundStatement(
      "SELECT key_id, count, micros FROM tallies WHERE layer = ? AND bucket >= ? AND bucket < ?", db)
    // By the keys' numbers, and zero again for the next stretch.
    var values = [TallyValue](repeating: TallyValue(), count: known.count)
    var touched: [Int] = []
    for (place, stretch) in stretches.enumerated() {
      for range in TallyRange.ranges(after: stretch.after, through: stretch.through) {
        for side in (scope ?? self.scope).sides {
          statement.bind(TallyLayer.number(of: stretch.family, in: range.grain, side))
          statement.bind(range.buckets.lowerBound)
          statement.bind(range.buckets.upperBound)
          try statement.forEach { row in
            let number = Int(row[0])
            guard values.indices.contains(number) else { return }
            if values[number].isZero { touched.append(number) }
            values[number].add(TallyValue(count: row[1], micros: row[2]))
          }
        }
      }
      for number in touched where !values[number].isZero {
        if let key = known[number] { take(place, key, values[number]) }
        values[number] = TallyValue()
      }
      touched.removeAll(keepingCapacity: true)
    }
  }

  /// Of a family of which the last hour is not kept by the instant, the whole hours alone are read.
  struct Stretch {
    var family: TallyFamily
    /// Nil is the beginning of time.
    var after: Instant?
    var through: Instant
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
