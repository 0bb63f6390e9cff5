import GRDB
import Subscriptions

/// What marks come to, on their way into the table: added up first, since those of many chains fall together.
struct TallySums {
  private struct Bucket: Hashable {
    /// Among `keys`.
    var key: Int32
    /// Of the grain that is written next.
    var bucket: Int64
  }

  private var sums: [Bucket: TallyValue] = [:]
  private var keys: [TallyKey] = []
  private var numbersOfKeys: [TallyKey: Int32] = [:]
  /// Whether an amount was so large that a sum of many might not fit.
  private var isTooLarge = false

  /// Ten million units of a currency, in micros: nine hundred thousand of them fit into a sum.
  private static let largestAmount: UInt64 = 10_000_000_000_000

  /// Some thirty megabytes, and as much again while they are written. Each time they are, most pages of the table are
  /// looked at.
  private static let most = 600_000

  /// Whether it is time to write them.
  var isFull: Bool { sums.count > Self.most }

  mutating func add(_ mark: TallyMark, times sign: Int64 = 1) {
    var value = sign < 0 ? -mark.value : mark.value
    if value.micros.magnitude > Self.largestAmount {
      isTooLarge = true
      value.micros = 0
    }
    let bucket = mark.key.family.finest.start(of: mark.at).rawValue
    sums[Bucket(key: number(of: mark.key), bucket: bucket), default: TallyValue()].add(value)
  }

  private mutating func number(of key: TallyKey) -> Int32 {
    if let number = numbersOfKeys[key] { return number }
    let number = Int32(keys.count)
    keys.append(key)
    numbersOfKeys[key] = number
    return number
  }

  /// Adds everything to the table, and forgets it.
  mutating func write(_ db: Database) throws {
    defer { sums.removeAll(keepingCapacity: true) }
    if isTooLarge { try Self.giveUp(db) }
    var numbers = [Int64?](repeating: nil, count: keys.count)
    for key in Set(sums.keys.map(\.key)) { numbers[Int(key)] = try TallyKeys.id(of: keys[Int(key)], db) }
    var upsert = try BoundStatement(Row.upsert, db)
    for grain in TallyGrain.allCases {
      var rows: [(row: Row, value: TallyValue)] = []
      rows.reserveCapacity(sums.count)
      for (sum, value) in sums where !value.isZero {
        let key = keys[Int(sum.key)]
        guard key.family.finest.rawValue <= grain.rawValue, let number = numbers[Int(sum.key)] else {
          continue
        }
        let layer = TallyLayer.number(of: key.family, in: grain, .init(key.environment))
        rows.append((Row(layer: layer, bucket: sum.bucket, key: number), value))
      }
      // In the order of the table, so that one page after the other is written.
      rows.sort { $0.row < $1.row }
      for (row, value) in rows { try row.add(value, &upsert, db) }
      if let next = grain.next { sums = folded(by: next.length) }
    }
    // What is taken off may leave a row of nothing, and where ends are taken off what begins may, too.
    try db.execute(sql: "DELETE FROM tallies WHERE count = 0 AND micros = 0")
  }

  /// The sums of so many buckets each.
  private func folded(by length: Int64) -> [Bucket: TallyValue] {
    var folded: [Bucket: TallyValue] = [:]
    for (sum, value) in sums {
      let bucket = flooredQuotient(sum.bucket, over: length)
      folded[Bucket(key: sum.key, bucket: bucket), default: TallyValue()].add(value)
    }
    return folded
  }

  /// From now on every line is looked at, until the tallies are made anew.
  private static func giveUp(_ db: Database) throws {
    try db.execute(sql: "UPDATE tally_state SET is_complete = 0")
  }

  /// A row of the table.
  private struct Row: Comparable {
    var layer: Int
    var bucket: Int64
    var key: Int64

    static func < (left: Self, right: Self) -> Bool {
      if left.layer != right.layer { return left.layer < right.layer }
      return left.bucket == right.bucket ? left.key < right.key : left.bucket < right.bucket
    }

    static let upsert = """
      INSERT INTO tallies (layer, bucket, key_id, count, micros) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET count = count + excluded.count, micros = micros + excluded.micros
      """

    func add(_ value: TallyValue, _ upsert: inout BoundStatement, _ db: Database) throws {
      upsert.bind(layer)
      upsert.bind(bucket)
      upsert.bind(key)
      upsert.bind(value.count)
      upsert.bind(value.micros)
      do {
        try upsert.execute()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        // The sum does not fit.
        upsert = try BoundStatement(Self.upsert, db)
        try TallySums.giveUp(db)
      }
    }
  }
}
