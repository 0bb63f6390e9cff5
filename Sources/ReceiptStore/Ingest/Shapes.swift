import GRDB

/// The numbers of shapes, and the shapes of numbers. One that no row names any more stays: there are few, and another row may come to it.
final class Shapes {
  private let db: Database
  private var numbers: [ShapeKey: Int64] = [:]
  /// Of what was asked for last.
  private var key = ShapeKey()
  private var known: [KnownKey: AnyObject] = [:]
  /// Beyond this they are not few, and memory is.
  static let most = 50_000

  init(db: Database) { self.db = db }

  /// The number of a shape, which is added where there is none like it.
  func number<Shape: StoredShape>(of shape: Shape) throws -> Int64 {
    key.begin(table: Shape.table)
    shape.bind(to: &key)
    if let number = numbers[key] { return number }
    let number = try find(shape) ?? add(shape)
    if numbers.count >= Self.most { forget() }
    numbers[key] = number
    return number
  }

  private struct KnownKey: Hashable {
    var kind: ObjectIdentifier
    var number: Int64
  }

  /// A shape that many read of, which may be large.
  final class Known<Shape: FetchableShape>: Sendable {
    let shape: Shape
    init(_ shape: Shape) { self.shape = shape }
  }

  /// The shape of a number; nil where there is none.
  func shape<Shape: FetchableShape>(
    numbered number: Int64, _ kind: Shape.Type = Shape.self
  ) throws -> Known<Shape>? {
    let key = KnownKey(kind: ObjectIdentifier(kind), number: number)
    if let shape = known[key] { return unsafeDowncast(shape, to: Known<Shape>.self) }
    guard let shape = try Shape.fetch(number, db).map(Known.init) else { return nil }
    if known.count >= Self.most { known.removeAll() }
    known[key] = shape
    return shape
  }

  static func missing(_ number: Int64, of what: String = "transactions") -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "there is no shape of \(what) \(number)")
  }

  /// To be called where some may have been taken back.
  func forget() {
    numbers.removeAll()
    known.removeAll()
  }

  private func find<Shape: StoredShape>(_ shape: Shape) throws -> Int64? {
    var statement = try BoundStatement(ShapeSQL.find(Shape.self), db)
    shape.bind(to: &statement)
    var number: Int64?
    try statement.forEach { number = $0[0] }
    return number
  }

  private func add<Shape: StoredShape>(_ shape: Shape) throws -> Int64 {
    var statement = try BoundStatement(ShapeSQL.insert(Shape.self), db)
    shape.bind(to: &statement)
    try statement.execute()
    return db.lastInsertedRowID
  }
}

/// Tells shapes apart by their bytes, as the tables do: `String` takes two spellings of an accent for one.
struct ShapeKey: Hashable, ColumnValues {
  private var bytes: [UInt8]

  init() {
    bytes = []
    bytes.reserveCapacity(256)
  }

  /// Begins anew where it lies: a rebuild asks for some twenty a transaction.
  mutating func begin(table: String) {
    bytes.removeAll(keepingCapacity: true)
    bind(table)
  }

  /// All bytes at once, not one after the other.
  func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }

  mutating func bind(_ number: Int64?) {
    guard let number else { return bytes.append(0) }
    bytes.append(1)
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  mutating func bind(_ text: String?) {
    guard let text else { return bytes.append(0) }
    bytes.append(2)
    bytes.append(contentsOf: text.utf8)
    // No byte of UTF-8.
    bytes.append(0xFF)
  }
}
