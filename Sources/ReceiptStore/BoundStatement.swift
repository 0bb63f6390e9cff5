import GRDB

/// A statement that gets its arguments one after the other, each as what it is.
///
/// `StatementArguments` boxes every value: with it, an import of answers spent a third of its time on boxes.
struct BoundStatement {
  private let statement: Statement
  private var place: CInt = 0
  private var failure: CInt = 0

  /// Every argument is NULL until it is bound.
  init(_ sql: String, _ db: Database) throws {
    statement = try db.cachedStatement(sql: sql)
    statement.setUncheckedArguments(StatementArguments())
  }

  /// Binds the next argument.
  mutating func bind(_ value: (some StatementBinding)?) {
    place += 1
    guard let value else { return }
    let code = value.bind(to: statement.sqliteStatement, at: place)
    if code != 0, failure == 0 { failure = code }
  }

  /// The same of what is stored as its raw value, without a detour through what all of them have in common.
  mutating func bind<Value: StatementBinding & RawRepresentable>(_ value: Value?)
  where Value.RawValue: StatementBinding {
    bind(value?.rawValue)
  }

  func execute() throws {
    guard failure == 0 else {
      throw DatabaseError(resultCode: ResultCode(rawValue: failure), sql: statement.sql)
    }
    try statement.execute()
  }
}
