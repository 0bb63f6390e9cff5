/// METRICS §4, Proceeds: what the paid transactions bought in the window cost, and what Apple leaves of it before tax.
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

  /// Adds transactions that cost the same and leave the same.
  ///
  /// - Parameter price: of each; nil is unpriced.
  public mutating func count(price: Money?, isPastFirstYear: Bool, isSmallBusiness: Bool, by n: Int = 1) {
    transactions += n
    if isPastFirstYear { afterOneYear += n } else if isSmallBusiness { smallBusiness += n }
    guard let price else {
      unpriced += n
      return
    }
    let commission: Commission = isPastFirstYear || isSmallBusiness ? .reduced : .standard
    let left = commission.proceeds(of: price)
    amount.add(price, times: n)
    proceeds.add(left, times: n)
  }
}

extension SalesFigures {
  init(_ judged: [JudgedLine], _ question: Question) {
    self.init()
    for judged in judged {
      for row in judged.line.rows where row.isSold(in: question) {
        count(
          price: row.price?.amount, isPastFirstYear: row.isPastFirstYear,
          isSmallBusiness: question.smallBusinessProgram.contains(judged.line.bundleID, at: row.purchase))
      }
    }
  }
}

extension Row {
  /// Paid, and bought in the window.
  func isSold(in question: Question) -> Bool {
    kind.isPaid && question.includes(productID) && question.window.contains(purchase)
  }
}
