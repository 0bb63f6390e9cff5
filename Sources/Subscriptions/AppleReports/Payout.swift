/// Comparison of Apple's payout in one currency for a fiscal month with the store's sales, in micros.
public struct Payout: Hashable, Sendable {
  public var report: AppleReport
  public var currency: CurrencyCode
  public var apple: Int128
  /// The store's sales minus refunds and upgrade credits in the month, after Apple's commission.
  public var ours: Int128
  public private(set) var causes: [DifferenceCause: Int128] = [:]

  public var difference: Int128 { apple - ours }
  public var rest: Int128 { difference - causes.values.reduce(0, +) }
  public var restShare: Double {
    rest == 0 ? 0 : apple == 0 ? 1 : min(1, Double(rest.magnitude) / Double(apple.magnitude))
  }

  /// Causes that can explain a payout's difference; the other cases apply only to daily figures.
  public static let possibleCauses: [DifferenceCause] = [
    .catalogPrice, .notInStore, .priceMissing, .tax, .commission, .settledBefore, .settledLater,
  ]

  /// Maximum number of days from a transaction until Apple settles it.
  static let settlementDays = 10

  /// Returns the payouts of a finance report, sorted by currency.
  ///
  /// - Parameters:
  ///   - lacking: Transactions of customers whom the store lacks, according to Apple's subscriber reports.
  ///   - returned: The store's refunds and upgrade credits in the month, as negative amounts.
  ///   - commission: Commission to subtract from the store's sales; Apple's proceeds show if it was reduced.
  public static func all(
    _ report: AppleReport, _ rows: [AppleReportRow], transactions: [TransactionKey: Int],
    lacking: [TransactionKey: Int] = [:], returned: [Money], commission: Commission
  ) -> [Payout] {
    var payouts: [CurrencyCode: Payout] = [:]
    var ours: [TransactionKey: Int] = [:]
    var sold: [TransactionKey: Int] = [:]
    func share(_ price: Money, _ commission: Commission = commission) -> Int128 {
      Int128(commission.proceeds(of: price.single))
    }
    func add(_ currency: CurrencyCode, _ change: (inout Payout) -> Void) {
      var payout = payouts[currency] ?? Payout(report: report, currency: currency, apple: 0, ours: 0)
      change(&payout)
      payouts[currency] = payout
    }
    for (key, count) in transactions
    where key.day >= report.from && key.day <= report.through && !key.isRefund {
      ours[key] = count
      if let price = key.price { add(price.currency) { $0.ours += Int128(count) * share(price) } }
    }
    for amount in returned { add(amount.currency) { $0.ours += share(amount) } }
    for row in rows where row.measure != .other {
      guard let proceeds = row.proceeds, let price = row.price?.positive, price.currency == proceeds.currency
      else { continue }
      let isRefund = row.measure != .sale
      let units = (isRefund ? -1 : 1) * Int128(row.units.magnitude)
      let whole = units * share(price)
      // Proceeds of more than 70 % of the price are possible only with the reduced commission.
      let isReduced = proceeds.micros.magnitude * 10 > (units * price.micros).magnitude * 7
      let charged = isReduced ? units * share(price, .smallBusiness) : whole
      add(proceeds.currency) { payout in
        payout.apple += proceeds.micros
        payout.explain(.tax, proceeds.micros - charged)
        payout.explain(.commission, charged - whole)
        if isRefund && row.day < report.from { payout.explain(.settledBefore, whole) }
      }
      guard !isRefund else { continue }
      sold[
        TransactionKey(day: row.day, product: row.product, storefront: row.storefront, price: price),
        default: 0
      ] += Int(clamping: row.units.magnitude)
    }
    func explain(_ cause: DifferenceCause, _ key: TransactionKey, _ count: Int) {
      guard let price = key.price else { return }
      add(price.currency) { $0.explain(cause, Int128(count) * share(price)) }
    }
    let matching = TransactionMatching(apple: sold, ours: ours)
    for pair in matching.repriced {
      explain(pair.cause, pair.apple, pair.count)
      explain(pair.cause, pair.ours, 0 - pair.count)
    }
    for (key, count) in matching.onlyApple where key.day < report.from { explain(.settledBefore, key, count) }
    let late = matching.onlyApple.filter { $0.key.day >= report.from }
    let unknown = TransactionMatching(apple: late, ours: lacking).onlyApple
    for (key, count) in late { explain(.notInStore, key, count - (unknown[key] ?? 0)) }
    let settledLater = report.through.daysSince1970 - settlementDays
    for (key, count) in matching.onlyOurs where key.day.daysSince1970 > settledLater {
      explain(.settledLater, key, 0 - count)
    }
    return payouts.values.sorted { $0.currency < $1.currency }
  }

  private mutating func explain(_ cause: DifferenceCause, _ amount: Int128) {
    if amount != 0 { causes[cause, default: 0] += amount }
  }
}

extension AppleReport {
  /// Apple's name of the fiscal month; fiscal years begin in October, so November 2025 is `2026-02`.
  package var fiscalMonth: String { CivilMonth(fiscalEndingOn: through).description }
}

extension CivilMonth {
  /// Creates the number of the fiscal month that ends on a day, three months ahead of the calendar month.
  ///
  /// - Parameter day: Last day of a fiscal month, at most a week before or after the end of a calendar month.
  public init(fiscalEndingOn day: CivilDate) {
    self = CivilMonth(of: CivilDate(daysSince1970: day.daysSince1970 - 10)).adding(months: 3)
  }

  /// Days of a month of Apple's fiscal calendar: 2026-02 is 2025-11-02 to 2025-11-29.
  ///
  /// Years begin on the day after the last Saturday of September. A quarter's months have 5, 4 and 4 weeks.
  public var fiscalDays: ClosedRange<CivilDate> {
    let start = Self.start(ofFiscalYear: year)
    let isLong = Self.start(ofFiscalYear: year + 1) - start > 52 * 7
    func first(_ month: Int) -> Int {
      // The additional week of a long year is in its first quarter.
      start + 7 * ([0, 5, 9, 13, 18, 22, 26, 31, 35, 39, 44, 48, 52][month] + (isLong && month > 2 ? 1 : 0))
    }
    let last = CivilDate(daysSince1970: first(month) - 1)
    return CivilDate(daysSince1970: first(month - 1))...last
  }

  private static func start(ofFiscalYear year: Int) -> Int {
    let last = CivilDate(year: year - 1, month: 9, day: 30) ?? CivilDate(daysSince1970: 0)
    return last.daysSince1970 - (last.weekday + 1) % 7 + 1
  }
}
