/// As what a line was first paid: what cohorts are told apart by.
public struct CohortOrigin: Hashable, Sendable {
  public var environment: StoreEnvironment
  public var product: ProductID
  /// Nil where nobody told one.
  public var storefront: StorefrontCode?
  public var kind: PeriodKind
  /// The identifier of the offer; nil where there is none, or it has none.
  public var offer: String?

  public init(
    _ environment: StoreEnvironment, product: ProductID, storefront: StorefrontCode?, kind: PeriodKind,
    offer: String?
  ) {
    self.environment = environment
    self.product = product
    self.storefront = storefront
    self.kind = kind
    self.offer = offer
  }

  /// - Parameter row: the current row of the line at that instant.
  init(_ row: Row, of line: Line) {
    self.init(
      line.id.environment, product: row.productID, storefront: row.storefront, kind: row.kind,
      offer: row.transaction.offerName)
  }
}
