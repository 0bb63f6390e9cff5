import GRDB
import Subscriptions

/// The currency in which what is derived is told as well.
enum ReportingCurrency {
  /// Nil is none.
  static func read(_ db: Database) throws -> CurrencyCode? {
    try CurrencyCode.fetchOne(db.cachedStatement(sql: "SELECT reporting_currency FROM ledger_state"))
  }

  /// What was derived before has to be derived anew.
  static func write(_ currency: CurrencyCode?, _ db: Database) throws {
    try db.execute(sql: "UPDATE ledger_state SET reporting_currency = ?", arguments: [currency])
  }
}
