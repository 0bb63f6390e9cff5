import Foundation
import Subscriptions

/// Consistent figures of a fictional shop.
enum Sample {
  /// 2026-11-21 09:05 UTC.
  static let now = Instant(milliseconds: 1_795_251_900_000)

  static let tokyo = Zone(
    name: "Asia/Tokyo",
    [Zone.Stretch(from: .distantPast, offset: 9 * Milliseconds.hour, abbreviation: "JST")])

  static func fieldNames(of value: some Encodable) throws -> Set<String> {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return names(in: try JSONSerialization.jsonObject(with: encoder.encode(value)))
  }

  private static func names(in value: Any) -> Set<String> {
    if let list = value as? [Any] { return list.reduce(into: []) { $0.formUnion(names(in: $1)) } }
    let members = value as? [String: Any] ?? [:]
    return members.reduce(into: []) { $0.formUnion(names(in: $1.value).union([$1.key])) }
  }

  static func json(_ chain: ChainReport) -> String {
    """
    {
      "original_transaction_id" : "\(chain.originalTransactionId)",
      "lines" : [
        { "state" : "active" }
      ]
    }
    """
  }

  static let weekly = ProductID("com.example.pro.weekly")
  static let monthly = ProductID("com.example.pro.monthly")
  static let yearly = ProductID("com.example.pro.yearly")
  static let european = ProductID("com.example.pro.monthly.eu")

  static func usd(_ cents: Int64) -> Money { Money(micros: cents * 10_000, currency: CurrencyCode("USD")) }
  static func eur(_ cents: Int64) -> Money { Money(micros: cents * 10_000, currency: CurrencyCode("EUR")) }

  static let price: [ProductID: (Money, Period)] = [
    weekly: (usd(499), Period(1, .week)), monthly: (usd(999), Period(1, .month)),
    yearly: (usd(5999), Period(1, .year)), european: (eur(899), Period(1, .month)),
  ]

  static func monthlyRevenue(_ lines: Int, of product: ProductID) -> Amounts {
    guard let (price, period) = price[product], lines > 0 else { return Amounts() }
    let micros = period.monthlyMicros(ofPrice: price.single) * Int64(lines)
    return Amounts([Money(micros: micros, currency: price.currency)])
  }

  static func sum(_ amounts: [Amounts]) -> Amounts { Amounts(amounts.flatMap(\.totals)) }

  static var trust: Trust {
    var trust = Trust()
    trust.receipts = 2412
    trust.lines = 2519
    trust.fresh24h = 0.971
    trust.overdue = 3
    trust.unpricedTransactions = 12
    trust.excludedSandbox = 212
    trust.excludedFamilyShared = 8
    return trust
  }

  static func figures(_ panel: Panel) -> FigureValues {
    switch panel {
    case .overview: overview
    case .active: active
    case .billingRetry: billingRetry
    case .churn: churn
    case .refunds: refunds
    case .upgrades: upgrades
    case .events: events
    case .movement: movement(Question(panel: .movement, at: now)).values
    case .recovery: recovery
    case .cohorts: cohorts
    case .offers: offers
    }
  }

  private static var overview: FigureValues {
    var figures = FigureValues()
    func take(_ paths: [String], of other: FigureValues) {
      for path in paths { figures[value: path] = other[value: path] }
    }
    figures["active_paid"] = active["paid"]
    let parts = ["renewing", "auto_renew_off", "auto_renew_unknown"]
    take(["trial", "mrr"] + parts.map { "mrr_parts.\($0)" } + ["mrr_parts.grace"] + parts, of: active)
    figures["billing_retry"] = billingRetry["lines"]
    take(["at_risk_mrr.billing_retry", "at_risk_mrr.grace"], of: billingRetry)
    take(["grace"], of: active)
    take(["churn_rate", "lost_paid", "lost_trial"], of: churn)
    (figures["refunds"], figures[amounts: "refund_amount"]) = (refunds["count"], refunds[amounts: "amount"])
    take(["prorated_refund"], of: upgrades)
    take(["overdue"], of: active)
    figures[parts: "due"] = due
    take(
      ["renewals"] + churn.paths.filter { $0.hasPrefix("trials.") || $0.hasPrefix("arrivals.") }, of: churn)
    take(["cohort.paid_transactions", "cohort.refunded", "cohort.rate"], of: refunds)
    addSales(to: &figures)
    take(["by_intent"], of: churn)
    take(["by_product"], of: active)
    let question = Question(panel: .overview, at: now)
    figures.addMovement(of: movementSums, question)
    figures.newestEvents = Array(events.events.prefix(FigureValues.eventLimit))
    return figures
  }

  static func report(_ question: Question) -> Report {
    Report(
      answering: question, trust: trust,
      data: question.panel == .movement ? movement(question).values : figures(question.panel),
      trend: trend(question.panel))
  }

  static func report(_ panel: Panel) -> Report { report(Question(panel: panel, at: now)) }

  static func emptyReport(_ question: Question) -> Report {
    let figures = question.panel == .movement ? LedgerFigures().values : FigureValues()
    return Report(answering: question, trust: Trust(), data: figures)
  }

  static var status: StoreStatus {
    var status = StoreStatus()
    status.receipts = 2412
    status.lines = 2739
    status.transactions = 18_204
    (status.prices.signed, status.prices.catalogue, status.prices.unpriced) = (11_020, 7101, 3)
    status.firstPurchaseMs = now - 900 * Milliseconds.day - 1
    status.dueNow = 134
    status.overdueLines = 3
    status.fresh24h = 0.971
    status.dead = 2
    status.schemaVersion = "v1"
    status.lastSweep = StoreStatus.LastSweep(record(1, by: "demo", "due", ago: 3))
    return status
  }

  static func progress(done: Int, elapsed: Int64 = 4000) -> SweepProgress {
    var counts = SweepCounts()
    counts.picked = min(2412, done + 64)
    counts.validated = done - 3
    counts.changed = done / 12
    counts.unchanged = counts.validated - counts.changed
    counts.retryLater = 2
    counts.rejected = 1
    return SweepProgress(started: now, elapsed: elapsed, total: 2412, inFlight: 64, counts: counts)
  }

  static func summary(_ stopped: SweepSummary.Stop? = nil) -> SweepSummary {
    var counts = SweepCounts()
    counts.picked = 2412
    counts.validated = 2398
    counts.changed = 203
    counts.unchanged = 2195
    counts.newTransactions = 241
    counts.rerouted = 18
    counts.retryLater = 12
    counts.rejected = 2
    counts.byStatus = [0: 2398, 21007: 18, 21005: 12, 21003: 2]
    counts.http = [200: 2430]
    return SweepSummary(started: now, elapsed: 8200, counts: counts, stopped: stopped)
  }
}
