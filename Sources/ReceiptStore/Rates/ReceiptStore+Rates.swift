import GRDB
import Subscriptions

extension ReceiptStore {
  /// Adds exchange rates, replacing rates of the same base, currency and day, and converts all amounts again
  /// if a rate or the reporting currency changed.
  ///
  /// - Parameter reporting: New reporting currency; `nil` keeps the current one.
  /// - Returns: The number of rates that were new or different.
  public func add(
    _ rates: [PublishedRate], reporting: CurrencyCode? = nil,
    progress: @escaping RebuildProgress = { _, _ in }
  ) throws(StoreError) -> Int {
    defer { checkpoint() }
    return try write("change the exchange rates of") { db in
      let changed = try RatesTable.write(rates, db)
      let before = try ReportingCurrency.read(db)
      let currency = reporting ?? before
      guard currency != before || (changed > 0 && currency != nil) else { return changed }
      try ReportingCurrency.write(currency, db)
      try LedgerRebuild(db: db, progress: progress).run()
      return changed
    }
  }

  /// Returns the currency in which amounts are also stored, for fast reports; `nil` if there is none.
  public func reportingCurrency() throws(StoreError) -> CurrencyCode? {
    try read("read the reporting currency of") { try ReportingCurrency.read($0) }
  }

  public func hasRates(of currency: CurrencyCode) throws(StoreError) -> Bool {
    try read("look for rates in") { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (SELECT 1 FROM rates WHERE base = ?1 AND rate_picos IS NOT NULL)
            OR EXISTS (SELECT 1 FROM rates WHERE currency = ?1 AND rate_picos IS NOT NULL)
          """, arguments: [currency]) ?? false
    }
  }

  static func ratesStatus(_ db: Database) throws -> StoreStatus.Rates? {
    let reporting = try ReportingCurrency.read(db)
    let day = Milliseconds.day
    return try db.rows(
      """
      SELECT count(rate_picos), count(DISTINCT currency), min(day) * \(day), max(day) * \(day) FROM rates
      WHERE rate_picos IS NOT NULL
      """
    ) { row -> StoreStatus.Rates? in
      guard row.count(0) > 0 else { return nil }
      return StoreStatus.Rates(
        count: row.count(0), currencies: row.count(1), from: row.date(2), to: row.date(3),
        reportingCurrency: reporting)
    }.first
  }
}
