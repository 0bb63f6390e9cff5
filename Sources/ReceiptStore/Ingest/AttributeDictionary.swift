import GRDB

/// Cache of shapes and their numbers. Unused shapes stay in the table: they are few, and may be used again.
final class AttributeDictionary {
  private let db: Database
  private var numbers: [ShapeKey: Int64] = [:]
  /// Reused buffer for the lookup key.
  private var key = ShapeKey()
  private var known: [KnownKey: AnyObject] = [:]
  /// Maximum number of cached entries, to bound memory.
  static let most = 50_000

  init(db: Database) { self.db = db }

  /// Returns the number of a shape, inserting it if it is new.
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

  /// Shared reference to a shape, which may be large.
  final class Known<Shape: FetchableShape>: Sendable {
    let shape: Shape
    init(_ shape: Shape) { self.shape = shape }
  }

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

  /// Empties the cache. Must be called if insertions may have been rolled back.
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

/// Key of a shape. Compares bytes, as the tables do, while `String` equates different encodings of an accent.
struct ShapeKey: Hashable, ColumnValues {
  private var bytes: [UInt8]

  init() {
    bytes = []
    bytes.reserveCapacity(256)
  }

  /// Starts a new key in the same memory. A rebuild needs some twenty keys per transaction.
  mutating func begin(table: String) {
    bytes.removeAll(keepingCapacity: true)
    bind(table)
  }

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
    // Never occurs in UTF-8.
    bytes.append(0xFF)
  }
}
