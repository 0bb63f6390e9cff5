import GRDB

/// The numbers of shapes. One that no row names any more stays: there are few, and another row may come to it.
final class Shapes {
  private let db: Database
  private var numbers: [ShapeKey: Int64] = [:]
  private var ofTransactions: [Int64: KnownShape] = [:]
  /// Beyond this they are not few, and memory is.
  static let most = 50_000

  init(db: Database) { self.db = db }

  /// The number of a shape, which is added where there is none like it.
  func number<Shape: StoredShape>(of shape: Shape) throws -> Int64 {
    var key = ShapeKey(table: Shape.table)
    shape.tell(&key)
    if let number = numbers[key] { return number }
    let number = try find(shape) ?? add(shape)
    if numbers.count >= Self.most { forget() }
    numbers[key] = number
    return number
  }

  /// A shape that many read of, which is large.
  final class KnownShape: Sendable {
    let shape: TransactionShape
    init(_ shape: TransactionShape) { self.shape = shape }
  }

  /// The shape of a number.
  func transactionShape(numbered number: Int64) throws -> KnownShape {
    if let shape = ofTransactions[number] { return shape }
    guard let shape = try TransactionShape.fetch(number, db).map(KnownShape.init) else {
      throw Self.missing(number)
    }
    if ofTransactions.count >= Self.most { ofTransactions.removeAll() }
    ofTransactions[number] = shape
    return shape
  }

  static func missing(_ number: Int64, of what: String = "transactions") -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "there is no shape of \(what) \(number)")
  }

  /// To be called where some may have been taken back.
  func forget() {
    numbers.removeAll()
    ofTransactions.removeAll()
  }

  private func find<Shape: StoredShape>(_ shape: Shape) throws -> Int64? {
    var statement = try BoundStatement(ShapeSQL.find(Shape.self), db)
    shape.tell(&statement)
    var number: Int64?
    try statement.forEach { number = $0[0] }
    return number
  }

  private func add<Shape: StoredShape>(_ shape: Shape) throws -> Int64 {
    var statement = try BoundStatement(ShapeSQL.insert(Shape.self), db)
    shape.tell(&statement)
    try statement.execute()
    return db.lastInsertedRowID
  }
}
