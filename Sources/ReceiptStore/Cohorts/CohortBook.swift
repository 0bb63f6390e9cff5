import GRDB
import Subscriptions

/// Changes of the sums of cohorts in one commit, added up before they are written.
final class CohortBook {
  private struct Bucket: Hashable {
    var months: Int
    /// Hour since 1970 in which the lines were first paid.
    var hour: Int64
    var kind: Int64

    func hash(into hasher: inout Hasher) {
      hasher.combine(hour &* 1_048_576 &+ kind &* 256 &+ Int64(months))
    }
  }

  private struct Place: Comparable {
    var months: Int
    var at: Int64
    var kind: Int64

    static func < (left: Self, right: Self) -> Bool {
      (left.months, left.at, left.kind) < (right.months, right.at, right.kind)
    }
  }

  /// Maximum number of sums in memory, some 90 MB, which doubles while they are written.
  private static let most = 750_000

  private let db: Database
  private let shapes: AttributeDictionary
  /// Changes that can still be rolled back.
  private var entries: [(bucket: Bucket, sum: RowSum)] = []
  private var sums: [Bucket: RowSum] = [:]

  init(db: Database, shapes: AttributeDictionary) { (self.db, self.shapes) = (db, shapes) }

  func number(of shape: CohortShape) throws -> Int64 { try shapes.number(of: shape) }

  func shape(numbered number: Int64) throws -> CohortShape {
    guard let known = try shapes.shape(numbered: number, CohortShape.self) else {
      throw AttributeDictionary.missing(number, of: "cohorts")
    }
    return known.shape
  }

  func position(numbered number: Int64) throws -> PositionClass {
    guard let known = try shapes.shape(numbered: number, PositionShape.self) else {
      throw AttributeDictionary.missing(number, of: "positions")
    }
    return known.shape.position
  }

  /// - Parameter kind: Number of the class of the line's first payment.
  func add(_ mark: CohortLife.Mark, of first: Instant, as kind: Int64, times sign: Int) throws {
    let shape = try shape(numbered: kind)
    var number = kind
    if mark.currency != shape.currency, let origin = shape.origin {
      number = try self.number(of: CohortShape(origin, mark.currency))
    }
    let bucket = Bucket(months: mark.months, hour: first.hour, kind: number)
    entries.append((bucket, sign < 0 ? -mark.sum : mark.sum))
  }

  var savepoint: Int { entries.count }

  func rollBack(to savepoint: Int) {
    entries.removeLast(entries.count - savepoint)
  }

  /// Removes and returns the entries since the last flush, in every grain.
  func takeEntries() throws -> [(grain: CohortGrain, months: Int, at: Int64, kind: Int64, sum: RowSum)] {
    defer { entries.removeAll(keepingCapacity: true) }
    return try entries.flatMap { bucket, sum in
      try CohortGrain.allCases.map { grain in
        let kind = grain.isOfOrigin ? bucket.kind : try number(of: shape(numbered: bucket.kind).whole)
        return (grain, bucket.months, grain.place(ofHour: bucket.hour), kind, sum)
      }
    }
  }

  /// - Returns: Whether there are so many sums that they must be written.
  func flush() -> Bool {
    for (bucket, sum) in entries { sums[bucket, default: RowSum()] += sum }
    entries.removeAll(keepingCapacity: true)
    return sums.count > Self.most
  }

  /// Writes all sums to the table, and empties the book.
  ///
  /// - Parameter overflow: Called if a sum does not fit.
  func write(overflow: () throws -> Void) throws {
    guard !sums.isEmpty else { return }
    let sums = self.sums.compactMap { $0.value.isZero ? nil : (bucket: $0.key, sum: $0.value) }
    self.sums.removeAll(keepingCapacity: true)
    var wholes: [Int64: Int64] = [:]
    for grain in CohortGrain.allCases {
      var rows = try sums.map { bucket, sum in
        var kind = bucket.kind
        if !grain.isOfOrigin {
          kind = try wholes[kind] ?? number(of: shape(numbered: kind).whole)
          wholes[bucket.kind] = kind
        }
        return (
          place: Place(months: bucket.months, at: grain.place(ofHour: bucket.hour), kind: kind), sum: sum
        )
      }
      rows.sort { $0.place < $1.place }
      try write(rows, grain, overflow)
    }
    try db.execute(
      sql: """
        DELETE FROM cohort_sums WHERE lines = 0 AND micros = 0 AND converted_micros = 0 AND unconverted = 0
        """)
  }

  private func write(
    _ rows: [(place: Place, sum: RowSum)], _ grain: CohortGrain, _ overflow: () throws -> Void
  ) throws {
    var upsert = try BoundStatement(Self.upsert, db)
    var rest = rows[...]
    while let place = rest.first?.place {
      let together = rest.prefix { $0.place == place }
      rest = rest[together.endIndex...]
      let sum = together.reduce(into: RowSum()) { $0 += $1.sum }
      guard !sum.isZero else { continue }
      guard let micros = Int64(exactly: sum.micros),
        let converted = Int64(exactly: sum.converted.micros)
      else {
        try overflow()
        continue
      }
      upsert.bind(grain.rawValue)
      upsert.bind(place.months)
      upsert.bind(place.at)
      upsert.bind(place.kind)
      upsert.bind(sum.rows)
      upsert.bind(micros)
      upsert.bind(converted)
      upsert.bind(sum.converted.unconverted)
      do {
        try upsert.execute()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
        upsert = try BoundStatement(Self.upsert, db)
        try overflow()
      }
    }
  }

  private static let upsert = """
    INSERT INTO cohort_sums (grain, months, at, class_id, lines, micros, converted_micros, unconverted)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET lines = lines + excluded.lines, micros = micros + excluded.micros,
      converted_micros = converted_micros + excluded.converted_micros, unconverted = unconverted + excluded.unconverted
    """
}

extension Instant {
  /// Number of the hour since 1970.
  var hour: Int64 { flooredQuotient(rawValue, over: Milliseconds.hour) }
}
