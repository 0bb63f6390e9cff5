/// Figures that count a fact together: where one of them is opened, the fact is a row of its own.
struct CountedFact {
  struct Part {
    var path: String
    var unit: Unit
  }

  /// What of a fact a figure counts.
  enum Unit {
    case rows
    /// The amount of the fact.
    case amount
    /// The price of each, in micros of the class's currency.
    case sale(Int64)
    /// What Apple leaves of it.
    case proceeds(Int64, Commission)
  }

  /// Why a row is counted: what stands beside it.
  enum Reason { case arrival, cohort, sale, due, trialEnd, refund, upgrade, change, event }

  var parts: [Part]
  var reason: Reason

  init(_ reason: Reason, _ parts: [Part]) { (self.reason, self.parts) = (reason, parts) }

  init(_ reason: Reason, rows paths: [String]) { self.init(reason, paths.map { .rows($0) }) }
}

extension CountedFact.Part {
  static func rows(_ path: String) -> Self { Self(path: path, unit: .rows) }
  static func amount(_ path: String) -> Self { Self(path: path, unit: .amount) }
}

extension PanelCounting {
  /// What of the window the panel counts, apart from changes.
  var families: [FactFamily] {
    switch panel {
    case .overview: [.bought, .due, .trialEnd, .refund, .upgrade]
    case .active, .billingRetry, .movement, .recovery, .cohorts, .offers: []
    case .churn: [.bought, .due, .trialEnd]
    case .refunds: [.bought, .refund, .oneTimeRefund]
    case .upgrades: [.change, .undated, .upgrade]
    case .events: [.event]
    }
  }

  /// The figures that count a fact, by their paths: METRICS §5.
  ///
  /// - Parameter t: the fact's instant, or another at which the same apps are in the Small Business Program.
  func counted(_ fact: FactClass, _ question: Question, at t: Instant) -> [CountedFact] {
    let isPriced = fact.currency != nil
    switch fact.kind {
    case .bought(let bought):
      return counted(bought, isPriced ? bought.priceMicros : nil, question, at: t)
    case .due(let result, let period):
      let renewals = Self.path(ofPeriod: period)
      return [CountedFact(.due, rows: ["\(renewals).due", "\(renewals).\(result.rawValue)"])]
    case .trialEnd(let outcome):
      let converted = [PeriodOutcome.converted: "trials.converted", .convertedLate: "trials.converted_late"]
      return [CountedFact(.trialEnd, rows: ["trials.ended"] + [converted[outcome]].compactMap(\.self))]
    case .refund(let reason):
      if panel == .overview {
        return [CountedFact(.refund, [.rows("refunds")] + (isPriced ? [.amount("refund_amount")] : []))]
      }
      let reason = ["1": "app_issue", "0": "other"][reason ?? ""] ?? "unknown"
      return [
        CountedFact(
          .refund,
          [.rows("count"), .rows("by_reason.\(reason)"), isPriced ? .amount("amount") : .rows("unpriced")])
      ]
    case .oneTimeRefund: return [CountedFact(.refund, rows: ["one_time"])]
    case .upgrade(let direction, let isConfirmed):
      let refund = isPriced ? CountedFact.Part.amount("prorated_refund") : .rows("unpriced")
      if panel == .overview { return isPriced ? [CountedFact(.upgrade, [refund])] : [] }
      let name = direction == .downgrade ? ChangeDirection.unranked : direction
      let dated = isConfirmed ? "confirmed" : "estimated"
      return [CountedFact(.upgrade, [.rows("immediate.\(name.rawValue)"), .rows(dated), refund])]
    case .undated: return [CountedFact(.upgrade, rows: ["undated"])]
    case .change(let direction):
      let name = direction == .upgrade ? ChangeDirection.unranked : direction
      return [CountedFact(.change, rows: ["at_renewal.\(name.rawValue)"])]
    case .event: return [CountedFact(.event, rows: [Panel.eventCount])]
    case .fresh, .shared, .unpriced, .comingDue, .retry, .offer, .offerRevenue, .optOut, .endingSoon,
      .consent,
      .pendingConsent:
      return []
    }
  }

  private func counted(
    _ bought: FactKind.Bought, _ price: Int64?, _ question: Question, at t: Instant
  ) -> [CountedFact] {
    let arrival = CountedFact(.arrival, rows: ["arrivals.\(bought.arrival.rawValue)"])
    let cohort = CountedFact(
      .cohort, rows: ["cohort.paid_transactions"] + (bought.isRefunded ? ["cohort.refunded"] : []))
    let counted =
      switch panel {
      case .overview: bought.isPaid ? [arrival, cohort, sale(bought, price, question, at: t)] : [arrival]
      case .refunds: bought.isPaid ? [cohort] : []
      default: [arrival]
      }
    return counted
  }

  private func sale(
    _ bought: FactKind.Bought, _ price: Int64?, _ question: Question, at t: Instant
  ) -> CountedFact {
    let commission = Commission(
      isPastFirstYear: bought.isPastFirstYear,
      isSmallBusiness: question.smallBusinessProgram.contains(bought.app, at: t))
    let amounts =
      price.map { micros in
        [
          CountedFact.Part(path: "sales.amount", unit: .sale(micros)),
          CountedFact.Part(
            path: Panel.proceeds, unit: .proceeds(commission.proceeds(of: micros), commission)),
        ]
      } ?? [.rows("sales.unpriced")]
    return CountedFact(.sale, [.rows("sales.transactions")] + amounts + commission.parts)
  }

  static func path(ofPeriod period: Period?) -> String { "renewals.\(period?.iso8601 ?? "unknown")" }
}

extension Commission {
  /// Sales at less than the standard share are counted apart.
  fileprivate var parts: [CountedFact.Part] {
    switch self {
    case .standard: []
    case .afterOneYear: [.rows("sales.after_one_year")]
    case .smallBusiness: [.rows("sales.small_business")]
    }
  }
}
