/// METRICS §5: refunds by the day they were issued, and the share of a window's purchases that came back.
public struct RefundFigures: Hashable, Sendable, Encodable {
  public struct ByReason: Hashable, Sendable, Encodable {
    /// `cancellation_reason` "1".
    public var appIssue = 0
    /// `cancellation_reason` "0".
    public var other = 0
    public var unknown = 0
    public init() {}
  }

  public struct Cohort: Hashable, Sendable, Encodable {
    /// Paid transactions bought in the window.
    public var paidTransactions = 0
    /// Those of them refunded by the as-of instant.
    public var refunded = 0
    public init() {}

    @ExplicitNull public var rate: Double?

  }

  public struct ByProduct: Hashable, Sendable, Encodable {
    public var productId: ProductID
    public var count = 0
    public var amount = Amounts()
    public init(productId: ProductID) { self.productId = productId }
  }

  public var count = 0
  public var byReason = ByReason()
  /// At catalogue price, in micros for each currency.
  public var amount = Amounts()
  /// Refunds without a price, which add nothing to the amount.
  public var unpriced = 0
  /// Refunds of purchases that are not auto-renewable.
  public var oneTime = 0
  public var cohort = Cohort()
  /// Sorted by count, most first, then by name.
  public var byProduct: [ByProduct] = []

  public init() {}

}

extension RefundFigures {
  init(_ facts: FactCounts) {
    self.init()
    count = facts["count"]
    byReason.appIssue = facts["by_reason.app_issue"]
    byReason.other = facts["by_reason.other"]
    byReason.unknown = facts["by_reason.unknown"]
    amount = facts.amounts("amount")
    unpriced = facts["unpriced"]
    oneTime = facts["one_time"]
    cohort = Cohort(facts)
    byProduct = facts.byProduct("count").map { product, count in
      var figures = ByProduct(productId: product)
      (figures.count, figures.amount) = (count, facts.amounts("amount", of: product))
      return figures
    }
    .sorted { $0.count == $1.count ? $0.productId < $1.productId : $0.count > $1.count }
  }
}

extension RefundFigures.Cohort {
  init(_ facts: FactCounts) {
    paidTransactions = facts["cohort.paid_transactions"]
    refunded = facts["cohort.refunded"]
    rate = paidTransactions == 0 ? nil : Double(refunded) / Double(paidTransactions)
  }
}
