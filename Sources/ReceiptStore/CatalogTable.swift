import GRDB
import Subscriptions

enum CatalogTable {
  static func read(_ db: Database) throws -> Catalog {
    return Catalog(
      try db.rows(
        """
        SELECT product_id, subscription_group_id, level, period, offer, price_micros, currency, valid_from_ms FROM catalog
        """
      ) { try entry($0) })
  }

  private static func entry(_ row: BoundStatement.Columns) throws -> CatalogEntry? {
    guard let period = Period(parsing: try row.read(3)), let offer = Offer(parsing: try row.read(4)) else {
      return nil
    }
    guard let micros = row.amount(5) else { return nil }
    let validFrom: Instant = try row.read(7)
    return try CatalogEntry(
      productID: row.read(0), subscriptionGroupID: row.read(1), level: row.read(2), period: period,
      offer: offer, price: Money(micros: micros, currency: row.read(6)),
      validFrom: validFrom == .distantPast ? nil : validFrom)
  }

  static func write(_ entry: CatalogEntry, _ db: Database) throws -> Bool {
    try db.run(
      """
      INSERT INTO catalog (product_id, offer, valid_from_ms, subscription_group_id, level, period, price_micros, currency)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET subscription_group_id = excluded.subscription_group_id, level = excluded.level,
        period = excluded.period, price_micros = excluded.price_micros, currency = excluded.currency
      WHERE subscription_group_id IS NOT excluded.subscription_group_id OR level IS NOT excluded.level
        OR period IS NOT excluded.period OR price_micros IS NOT excluded.price_micros
        OR currency IS NOT excluded.currency
      """,
      [
        entry.productID, entry.offer.text, entry.validFrom ?? .distantPast, entry.subscriptionGroupID,
        entry.level, entry.period.iso8601, entry.price.single, entry.price.currency,
      ])
    return db.changesCount > 0
  }

  /// Reads the catalog, with all rates for converting amounts to the reporting currency of the store.
  static func readWithRates(_ db: Database) throws -> Catalog {
    var catalog = try read(db)
    if let currency = try ReportingCurrency.read(db) {
      catalog.exchange = try RatesTable.exchange(in: currency, since: nil, db)
    }
    return catalog
  }

  static func read(for question: Question, _ db: Database) throws -> Catalog {
    var catalog = try read(db)
    if let currency = question.reportingCurrency {
      catalog.exchange = try RatesTable.exchange(
        in: currency, since: ReceiptStore.firstPurchase(db) ?? question.at, db)
    }
    return catalog
  }
}

/// Currency that derived amounts are also stored in.
enum ReportingCurrency {
  static func read(_ db: Database) throws -> CurrencyCode? {
    try CurrencyCode.fetchOne(db.cachedStatement(sql: "SELECT reporting_currency FROM ledger_state"))
  }

  /// Sets the currency; the caller must then rebuild the derived rows.
  static func write(_ currency: CurrencyCode?, _ db: Database) throws {
    try db.execute(sql: "UPDATE ledger_state SET reporting_currency = ?", arguments: [currency])
  }
}
