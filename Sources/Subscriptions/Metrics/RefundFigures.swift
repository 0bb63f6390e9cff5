/// METRICS §4: refunds by the day they were issued, and the share of a window's purchases that came back.
public struct RefundFigures: Hashable, Sendable, Encodable {
  public struct ByReason: Hashable, Sendable, Encodable {
    /// `cancellation_reason` "1".
    public var appIssue = 0
    /// `cancellation_reason` "0".
    public var other = 0
    public var unknown = 0
    public init() {}

    public mutating func count(_ reason: String?, by n: Int = 1) {
      switch reason {
      case "1": appIssue += n
      case "0": other += n
      default: unknown += n
      }
    }
  }

  public struct Cohort: Hashable, Sendable, Encodable {
    /// Paid transactions bought in the window.
    public var paidTransactions = 0
    /// Those of them refunded by the as-of instant.
    public var refunded = 0
    public init() {}

    @ExplicitNull public var rate: Double?

    public mutating func finish() {
      rate = paidTransactions == 0 ? nil : Double(refunded) / Double(paidTransactions)
    }
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

  public static func sorted(_ products: [ByProduct]) -> [ByProduct] {
    products.sorted { $0.count == $1.count ? $0.productId < $1.productId : $0.count > $1.count }
  }
}

extension RefundFigures {
  init(_ judged: [JudgedLine], _ question: Question, oneTime: Int) {
    self.init()
    self.oneTime = oneTime
    var products: [ProductID: ByProduct] = [:]
    for row in judged.lazy.flatMap(\.line.rows) where question.includes(row.productID) {
      countCohort(row, question)
      guard row.isRefund, let refunded = row.refundedAt, question.window.contains(refunded) else { continue }
      count += 1
      byReason.count(row.transaction.cancellationReason)
      var product = products[row.productID] ?? ByProduct(productId: row.productID)
      product.count += 1
      if let price = row.price {
        amount.add(price.amount)
        product.amount.add(price.amount)
      } else {
        unpriced += 1
      }
      products[row.productID] = product
    }
    cohort.finish()
    byProduct = Self.sorted(Array(products.values))
  }

  private mutating func countCohort(_ row: Row, _ question: Question) {
    guard row.kind.isPaid, question.window.contains(row.purchase) else { return }
    cohort.paidTransactions += 1
    if row.isRefund, row.isDead(at: question.at) { cohort.refunded += 1 }
  }
}
