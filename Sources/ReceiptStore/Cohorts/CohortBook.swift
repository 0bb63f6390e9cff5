import GRDB
import Subscriptions

/// What a commit changes of the sums of cohorts, added up before it is written.
final class CohortBook {
  private struct Bucket: Hashable {
    var months: Int
    /// The hour since 1970 in which the lines were first paid.
    var hour: Int64
    var kind: Int64

    // One number instead of three.
    func hash(into hasher: inout Hasher) {
      hasher.combine(hour &* 1_048_576 &+ kind &* 256 &+ Int64(months))
    }
  }

  private struct Place: Hashable, Comparable {
    var grain: CohortGrain
    var months: Int
    var at: Int64
    var kind: Int64

    static func < (left: Self, right: Self) -> Bool {
      (left.grain.rawValue, left.months, left.at, left.kind)
        < (right.grain.rawValue, right.months, right.at, right.kind)
    }
  }

  /// Some twenty megabytes, and as much again while they are written.
  private static let most = 200_000

  private let db: Database
  private let shapes: Shapes
  /// What can still be undone.
  private var entries: [(bucket: Bucket, sum: CohortSum)] = []
  private var sums: [Bucket: CohortSum] = [:]
  private var known: [Int64: CohortShape] = [:]
  private var positions: [Int64: PositionClass] = [:]

  init(db: Database, shapes: Shapes) { (self.db, self.shapes) = (db, shapes) }

  /// The number under which the tables name a class.
  func number(of shape: CohortShape) throws -> Int64 {
    let number = try shapes.number(of: shape)
    keep(shape, number)
    return number
  }

  /// The class of a number.
  func shape(numbered number: Int64) throws -> CohortShape {
    if let shape = known[number] { return shape }
    let columns = CohortShape.columns.joined(separator: ", ")
    let row = try FetchedRow.fetchOne(
      db.cachedStatement(sql: "SELECT \(columns) FROM cohort_classes WHERE id = ?"), arguments: [number])
    guard let row else { throw Shapes.missing(number, of: "cohorts") }
    let shape = CohortShape(row, from: 0)
    keep(shape, number)
    return shape
  }

  private func keep(_ shape: CohortShape, _ number: Int64) {
    if known.count >= Shapes.most { known.removeAll() }
    known[number] = shape
  }

  /// The class of positions of a number.
  func position(numbered number: Int64) throws -> PositionClass {
    if let position = positions[number] { return position }
    let columns = PositionShape.columns.joined(separator: ", ")
    let row = try FetchedRow.fetchOne(
      db.cachedStatement(sql: "SELECT \(columns) FROM position_classes WHERE id = ?"), arguments: [number])
    guard let position = row.flatMap({ PositionShape.position($0, from: 0) }) else {
      throw Shapes.missing(number, of: "positions")
    }
    if positions.count >= Shapes.most { positions.removeAll() }
    positions[number] = position
    return position
  }

  /// - Parameter kind: the number of the class that the line was first paid as.
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
    known.removeAll()
    positions.removeAll()
  }

  /// - Returns: whether there is so much that it is to be written.
  func settle() -> Bool {
    for (bucket, sum) in entries { sums[bucket, default: CohortSum()] += sum }
    entries.removeAll(keepingCapacity: true)
    return sums.count > Self.most
  }

  /// Adds everything to the table, and forgets it.
  ///
  /// - Parameter overflow: is called where a sum does not fit.
  func write(overflow: () throws -> Void) throws {
    guard !sums.isEmpty else { return }
    defer { sums.removeAll(keepingCapacity: true) }
    var wholes: [Int64: Int64] = [:]
    var places: [Place: CohortSum] = [:]
    for (bucket, sum) in sums where !sum.isZero {
      let whole: Int64
      if let known = wholes[bucket.kind] {
        whole = known
      } else {
        whole = try number(of: shape(numbered: bucket.kind).whole)
        wholes[bucket.kind] = whole
      }
      let day = flooredQuotient(bucket.hour, over: 24)
      let month = Int64(CivilMonth(of: CivilDate(daysSince1970: Int(day))).index)
      func add(_ grain: CohortGrain, _ at: Int64, _ kind: Int64) {
        let place = Place(grain: grain, months: bucket.months, at: at, kind: kind)
        places[place, default: CohortSum()] += sum
      }
      add(.hour, bucket.hour, whole)
      add(.day, day, whole)
      add(.month, month, whole)
      add(.dayOfOrigin, day, bucket.kind)
      add(.monthOfOrigin, month, bucket.kind)
    }
    try write(places, overflow)
    try db.execute(
      sql: """
        DELETE FROM cohort_sums WHERE lines = 0 AND micros = 0 AND converted_micros = 0 AND unconverted = 0
        """)
  }

  private func write(_ places: [Place: CohortSum], _ overflow: () throws -> Void) throws {
    var upsert = try BoundStatement(Self.upsert, db)
    // In the order of the table, so that one page after the other is written.
    for (place, sum) in places.filter({ !$0.value.isZero }).sorted(by: { $0.key < $1.key }) {
      upsert.bind(place.grain.rawValue)
      upsert.bind(place.months)
      upsert.bind(place.at)
      upsert.bind(place.kind)
      upsert.bind(sum.lines)
      upsert.bind(sum.micros)
      upsert.bind(sum.converted.micros)
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
  /// Since 1970.
  var hour: Int64 { flooredQuotient(rawValue, over: Milliseconds.hour) }
}
