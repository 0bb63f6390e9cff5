import GRDB
import Subscriptions

/// Currency that derived amounts are also stored in.
enum ReportingCurrency {
  static func read(_ db: Database) throws -> CurrencyCode? {
    try CurrencyCode.fetchOne(db.cachedStatement(sql: "SELECT reporting_currency FROM ledger_state"))
  }

  /// Sets the currency. Derived rows must be rebuilt afterwards.
  static func write(_ currency: CurrencyCode?, _ db: Database) throws {
    try db.execute(sql: "UPDATE ledger_state SET reporting_currency = ?", arguments: [currency])
  }
}
