import GRDB

/// Values that many rows share, stored once and referenced by number.
protocol StoredShape {
  static var table: String { get }
  static var columns: [String] { get }
  /// Binds the values in the order of `columns`.
  func bind(to values: inout some ColumnValues)
}

protocol FetchableShape: StoredShape, Sendable {
  /// Creates a shape from a row, or returns `nil` if the row refers to something missing.
  init?(_ row: BoundStatement.Columns)
}

extension FetchableShape {
  static func fetch(_ number: Int64, _ db: Database) throws -> Self? {
    var statement = try BoundStatement("\(selection) WHERE id = ?", db)
    statement.bind(number)
    var found: Self?
    try statement.forEach { found = Self($0) }
    return found
  }

  /// Calls `body` with each shape whose number is greater than `number`.
  static func forEach(after number: Int, _ db: Database, _ body: (Int64, Self) throws -> Void) throws {
    var statement = try BoundStatement("\(selection) WHERE id > ? ORDER BY id", db)
    statement.bind(Int64(number))
    let place = CInt(columns.count)
    try statement.forEach { row in
      if let shape = Self(row) { try body(row[place], shape) }
    }
  }

  private static var selection: String { "SELECT \(columns.joined(separator: ", ")), id FROM \(table)" }
}

enum ShapeSQL {
  static func find<Shape: StoredShape>(_ shape: Shape.Type) -> String {
    let conditions = shape.columns.map { "\($0) IS ?" }.joined(separator: " AND ")
    return "SELECT id FROM \(shape.table) WHERE \(conditions)"
  }

  static func insert<Shape: StoredShape>(_ shape: Shape.Type) -> String {
    let places = Array(repeating: "?", count: shape.columns.count).joined(separator: ", ")
    return "INSERT INTO \(shape.table) (\(shape.columns.joined(separator: ", "))) VALUES (\(places))"
  }
}
