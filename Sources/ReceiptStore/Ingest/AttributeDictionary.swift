import GRDB

/// Cache of shapes and ids; a shape is a row that many other rows reference, and stays stored even if unused.
final class AttributeDictionary {
  private let db: Database
  private var numbers: [ShapeKey: Int64] = [:]
  private var key = ShapeKey()
  private var known: [KnownKey: any StoredRow] = [:]
  static let most = 50_000

  init(db: Database) { self.db = db }

  /// Returns the row id of a shape; inserts the shape if the table does not have it.
  func number<Shape: StoredRow>(of shape: Shape) throws -> Int64 {
    key.begin(table: Shape.sql.table)
    shape.bind(to: &key)
    if let number = numbers[key] { return number }
    var find = try BoundStatement(Shape.sql.find, db)
    shape.bind(to: &find)
    var found: Int64?
    try find.forEach { found = $0[0] }
    if found == nil { try shape.insert(db) }
    let number = found ?? db.lastInsertedRowID
    if numbers.count >= Self.most { forget() }
    numbers[key] = number
    return number
  }

  private struct KnownKey: Hashable {
    var kind: ObjectIdentifier
    var number: Int64
  }

  func shape<Shape: StoredRow>(numbered number: Int64, _ kind: Shape.Type = Shape.self) throws -> Shape? {
    let key = KnownKey(kind: ObjectIdentifier(kind), number: number)
    if let shape = known[key] { return shape as? Shape }
    guard let shape = try Shape.fetch(number, db) else { return nil }
    if known.count >= Self.most { known.removeAll() }
    known[key] = shape
    return shape
  }

  func existing<Shape: StoredRow>(_ number: Int64, _ kind: Shape.Type = Shape.self) throws -> Shape {
    guard let shape = try shape(numbered: number, kind) else {
      throw Self.missing(number, of: Shape.sql.table)
    }
    return shape
  }

  static func missing(_ number: Int64, of table: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "row \(number) of \(table) is missing")
  }

  /// Empties the cache, which is necessary if insertions may have been rolled back.
  func forget() {
    numbers.removeAll()
    known.removeAll()
  }
}

/// Key that compares a shape by bytes, as the tables do; `String` would equate different Unicode encodings.
private struct ShapeKey: Hashable, ColumnMapper {
  private var bytes: [UInt8]

  init() {
    bytes = []
    bytes.reserveCapacity(256)
  }

  /// Starts a new key in the same memory, because a rebuild needs about twenty keys per transaction.
  mutating func begin(table: String) {
    bytes.removeAll(keepingCapacity: true)
    var table: String? = table
    map("", &table)
  }

  func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }

  mutating func map(_ column: String, _ number: inout Int64?) {
    guard let number else { return bytes.append(0) }
    bytes.append(1)
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  mutating func map(_ column: String, _ text: inout String?) {
    guard let text else { return bytes.append(0) }
    bytes.append(2)
    bytes.append(contentsOf: text.utf8)
    // Terminator, which never occurs in UTF-8.
    bytes.append(0xFF)
  }
}
