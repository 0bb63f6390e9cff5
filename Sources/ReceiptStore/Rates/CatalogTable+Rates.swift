import GRDB
import Subscriptions

extension CatalogTable {
  /// With the rates by which what is derived is told in the store's reporting currency.
  static func readWithRates(_ db: Database) throws -> Catalog {
    var catalog = try read(db)
    if let currency = try ReportingCurrency.read(db) {
      catalog.exchange = try RatesTable.exchange(in: currency, since: nil, db)
    }
    return catalog
  }

  /// With the rates that a question needs.
  static func read(for question: Question, _ db: Database) throws -> Catalog {
    var catalog = try read(db)
    if let currency = question.reportingCurrency {
      catalog.exchange = try RatesTable.exchange(
        in: currency, since: ReceiptStore.firstPurchase(db) ?? question.at, db)
    }
    return catalog
  }
}
