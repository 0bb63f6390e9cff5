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
  }
}
