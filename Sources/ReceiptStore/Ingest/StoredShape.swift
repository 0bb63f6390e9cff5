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
  init?(_ row: FetchedRow)
}

extension FetchableShape {
  /// The shape of a number; nil where there is none.
  static func fetch(_ number: Int64, _ db: Database) throws -> Self? {
    let statement = try db.cachedStatement(
      sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE id = ?")
    return try FetchedRow.fetchOne(statement, arguments: [number]).flatMap(Self.init)
  }
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
