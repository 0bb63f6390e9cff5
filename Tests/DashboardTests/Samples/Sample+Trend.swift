import Subscriptions

extension Sample {
  static func trend(_ panel: Panel) -> Trend {
    var trend = Trend(of: Window(days: 28, upTo: now))
    let usd = CurrencyCode("USD")
    switch panel {
    case .overview:
      trend.follow("active_paid", to: 1868, from: 1700)
      trend.follow("mrr", to: 27_430_080_000, from: 24_900_000_000, usd)
      trend.follow("mrr", to: 1_078_800_000, from: 1_100_000_000, CurrencyCode("EUR"))
      trend.follow("trial", to: 214, from: 180)
      trend.follow("grace", to: 52, from: 57)
      trend.follow("billing_retry", to: 44, from: 44)
      trend.happen("arrivals.initial", 240, before: 200)
      trend.happen("trials.ended", 288, before: 260)
      trend.happen("trials.converted", 119, before: 102)
      trend.happen("lost_paid", 84, before: 90)
      trend.happen("refunds", 15, before: 0)
      trend.happen("sales.amount", 37_122_030_000, before: 35_900_000_000, usd)
      trend.happen("prorated_refund", 35_200_000, before: 3_100_000, usd)
    case .active:
      trend.follow("paid", to: 1868, from: 1700)
      trend.follow("trial", to: 214, from: 180)
      trend.follow("mrr", to: 27_430_080_000, from: 24_900_000_000, usd)
    case .billingRetry:
      trend.follow("lines", to: 44, from: 30)
      trend.follow("grace.lines", to: 52, from: 57)
      for figure in ["lines", "grace.lines"] {
        for place in [nil] + (0..<18).map(Optional.some) { trend.forget(figure, at: place) }
      }
    case .churn:
      trend.happen("lost_paid", 84, before: 90)
      trend.happen("arrivals.initial", 240, before: 200)
    case .refunds:
      trend.happen("count", 15, before: 12)
      trend.happen("amount", 134_870_000, before: 120_000_000, usd)
    case .upgrades:
      trend.happen("immediate.upgrade", 6, before: 5)
      trend.happen("prorated_refund", 35_200_000, before: 3_100_000, usd)
    case .events: trend.happen(Panel.eventCount, 2400, before: 2000)
    case .movement, .recovery, .cohorts, .offers: break
    }
    return trend
  }
}

extension Trend {
  /// Adds a balance that changes linearly.
  mutating func follow(_ figure: String, to end: Int128, from start: Int128, _ currency: CurrencyCode? = nil)
  {
    add(start, to: figure, currency, at: nil)
    for place in endsMs.indices {
      add(start + (end - start) * Int128(place + 1) / Int128(endsMs.count), to: figure, currency, at: place)
    }
  }

  /// Adds a flow of `count` events with increasing frequency.
  mutating func happen(_ figure: String, _ count: Int128, before: Int128, _ currency: CurrencyCode? = nil) {
    add(before, to: figure, currency, at: nil)
    let n = Int128(endsMs.count)
    for place in 0..<n {
      let (here, last) = ((place + 1) * (place + 2), place * (place + 1))
      add(count * here / (n * (n + 1)) - count * last / (n * (n + 1)), to: figure, currency, at: Int(place))
    }
  }
}

extension Sample {
  static var due: [FigureValues] {
    [(1, 61, 48), (7, 402, 377), (30, 1688, 1571)].map { days, lines, renewing in
      var (due, expected) = (FigureValues(), Amounts())
      expected.add(usd(499), times: renewing - 9)
      expected.add(eur(899), times: 9)
      (due["days"], due["lines"], due["renewing"]) = (days, lines, renewing)
      (due[amounts: "expected"], due["unpriced"]) = (expected, 0)
      return due
    }
  }
}
