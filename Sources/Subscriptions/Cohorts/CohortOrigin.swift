/// Product, storefront and offer of the first paid row of a line. Cohorts can be narrowed to an origin.
public struct CohortOrigin: Hashable, Sendable {
  public var environment: StoreEnvironment
  public var product: ProductID
  public var storefront: StorefrontCode?
  public var kind: PeriodKind
  /// Identifier of the offer; `nil` if there is no offer, or it has no identifier.
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

  /// - Parameter row: Current row when the line was first paid.
  init(_ row: Row, of line: Line) {
    self.init(
      line.id.environment, product: row.productID, storefront: row.storefront, kind: row.kind,
      offer: row.transaction.offerName)
  }
}
