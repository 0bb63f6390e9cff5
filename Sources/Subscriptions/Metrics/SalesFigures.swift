/// METRICS §5, Proceeds: what the paid transactions bought in the window cost, and what Apple leaves of it before tax.
///
/// Refunds and prorated refunds are not taken off: they are figures of their own.
public struct SalesFigures: Hashable, Sendable, Encodable {
  /// Paid transactions bought in the window.
  public var transactions = 0
  /// Those without a price, which add nothing.
  public var unpriced = 0
  /// At catalogue price, in micros for each currency.
  public var amount = Amounts()
  public var proceeds = Amounts()
  /// Those of which Apple takes less after a year of paid service.
  public var afterOneYear = 0
  /// Those of which it takes less because the app was in the Small Business Program.
  public var smallBusiness = 0
  /// Sorted by transactions, most first, then by name; empty where Apple told no storefront of any.
  public var byStorefront: [ByStorefront] = []

  public struct ByStorefront: Hashable, Sendable, Encodable {
    /// Nil where Apple told none.
    @ExplicitNull public var storefront: StorefrontCode?
    public var transactions = 0
    public var amount = Amounts()
    public var proceeds = Amounts()
    public init(storefront: StorefrontCode?) { self.storefront = storefront }

    /// Of its figures, in the overview's JSON: `sales.by_storefront.DEU`.
    public var path: String { FigurePath.salesByStorefront + FigurePath.name(of: storefront) }
  }

  public init() {}
}

extension SalesFigures {
  init(_ facts: FactCounts) {
    transactions = facts["sales.transactions"]
    unpriced = facts["sales.unpriced"]
    amount = facts.amounts("sales.amount")
    proceeds = facts.amounts(Panel.proceeds)
    afterOneYear = facts["sales.after_one_year"]
    smallBusiness = facts["sales.small_business"]
    let located = facts.byStorefront("sales.transactions")
    guard located.keys.contains(where: { $0 != nil }) else { return }
    byStorefront = located.map { storefront, transactions in
      var part = ByStorefront(storefront: storefront)
      part.transactions = transactions
      part.amount = facts.amounts("sales.amount", of: storefront)
      part.proceeds = facts.amounts(Panel.proceeds, of: storefront)
      return part
    }.sorted { $0.transactions == $1.transactions ? $0.path < $1.path : $0.transactions > $1.transactions }
  }
}
