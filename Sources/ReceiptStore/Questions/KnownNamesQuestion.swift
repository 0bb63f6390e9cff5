import GRDB
import Subscriptions

extension ReceiptStore {
  /// Returns the environments, products, storefronts, currencies and offers in the store, and the products of
  /// the catalogue.
  public func knownNames() throws(StoreError) -> KnownNames {
    try read("look for names in") { db in
      var known = KnownNames()
      let shapes = try FetchedRow.fetchAll(
        db, sql: "SELECT DISTINCT environment, product_id, storefront, currency FROM transaction_shapes")
      for shape in shapes {
        known.environments.insert(StoreEnvironment(try shape[0] as String))
        known.products.insert(ProductID(try shape[1]))
        if let storefront: String = try shape[2] { known.storefronts.insert(StorefrontCode(storefront)) }
      }
      known.currencies = Set(try shapes.compactMap { try ($0[3] as String?).map { CurrencyCode($0) } })
      let catalog = try String.fetchAll(db, sql: "SELECT DISTINCT product_id FROM catalog")
      known.products.formUnion(catalog.map { ProductID($0) })
      for origin in try CohortShape.fetchAll(db).values.compactMap(\.origin) {
        known.offers.insert(.kind(origin.kind))
        if let offer = origin.offer { known.offers.insert(.offer(origin.kind, offer)) }
      }
      return known
    }
  }
}
