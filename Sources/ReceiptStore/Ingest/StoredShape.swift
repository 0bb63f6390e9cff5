import GRDB

/// What a great many rows tell alike, which a table holds once; the rows name it by its number.
protocol StoredShape {
  static var table: String { get }
  static var columns: [String] { get }
  /// In the order of the columns.
  func bind(to values: inout some ColumnValues)
}

/// One that is read again, too.
protocol FetchableShape: StoredShape, Sendable {
  /// From a row of its columns; nil where they name something that there is not.
  init?(_ row: BoundStatement.Columns)
}

extension FetchableShape {
  /// The shape of a number; nil where there is none.
  static func fetch(_ number: Int64, _ db: Database) throws -> Self? {
    var statement = try BoundStatement("\(selection) WHERE id = ?", db)
    statement.bind(number)
    var found: Self?
    try statement.forEach { found = Self($0) }
    return found
  }

  /// Those whose numbers come after one.
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

/// Statements over the table of a kind of shapes.
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
