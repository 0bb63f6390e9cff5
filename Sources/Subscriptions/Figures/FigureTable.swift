/// Declarations of every panel's figures, in the order of the JSON; `PanelCounting` decides what they count.
extension FigureTable {
  static let tables: [Panel: FigureTable] = [
    .overview: FigureTable(
      [
        lines("active_paid", "Active paid", .good), lines("trial", "Trials", .good),
        revenue("mrr", "MRR", .good),
      ] + revenueParts + autoRenew + [
        lines("billing_retry", "Billing retry", .bad, needsSnapshots: true)
      ] + revenueAtRisk(graceIsPart: true) + [
        lines("grace", "In grace", .bad, needsSnapshots: true), churnRate,
        flow("lost_paid", "Lost, paid or in billing retry", .bad), flow("lost_trial", "Lost trials", .bad),
        flow("refunds", "Refunds", .bad), amount("refund_amount", "Refund amount", .bad),
        amount("prorated_refund", "Upgrade credit"), lines("overdue", "Unverified", .bad),
        .list("due", .horizons, DueHorizon.allCases.flatMap { due($0) }),
      ] + periods + cohort + [
        flow("sales.transactions", "Paid purchases", .good),
        flow("sales.unpriced", "Unpriced purchases", .bad),
        amount("sales.amount", "Sales", .good),
        .figure(PanelFigure(Panel.proceeds, "Proceeds", .none, .amount(Panel.proceeds)).asPart.rising(.good)),
        flow("sales.after_one_year", "At 15 % after a paid year", .good),
        flow("sales.small_business", "At 15 % in the Small Business Program", .good),
        .breakdown(
          FigureBreakdown(
            "sales.by_storefront", .storefront,
            ["transactions": "sales.transactions", "amount": "sales.amount", "proceeds": Panel.proceeds])),
        byIntent,
      ] + subscribers(paid: "active_paid", listsStorefronts: false)),
    .active: FigureTable(
      [
        lines("paid", "Active paid", .good), lines("trial", "Trials", .good),
        lines("trial_auto_renew_off", "Trials with auto-renew off", .bad),
        lines("by_kind.standard", "Active at the standard price"),
        lines("by_kind.intro", "Active on an intro offer"), lines("by_kind.promo", "Active on a promo offer"),
        lines("by_kind.code", "Active on an offer code"),
        lines("by_kind.winback", "Active on a win-back offer"),
      ] + autoRenew + [
        lines("grace", "In grace", .bad, needsSnapshots: true), lines("overdue", "Unverified", .bad),
        revenue("mrr", "MRR", .good),
      ] + revenueParts + subscribers(paid: "paid", listsStorefronts: true)),
    .billingRetry: FigureTable(
      [
        lines("lines", "In billing retry", .bad, needsSnapshots: true),
        .beside("users", .users(inGrace: false), rows: "lines"),
        lines("grace.lines", "In grace", .bad, needsSnapshots: true),
        .beside("grace.users", .users(inGrace: true), rows: "grace.lines"),
      ] + revenueAtRisk(graceIsPart: false) + [
        .breakdown(FigureBreakdown("by_product", .product, ["lines": "lines"]))
      ]),
    .recovery: FigureTable(
      outcomes("", nil)
        + RetryOutcome.allCases.map {
          .beside("mrr.\($0.rawValue)", .amount($0.rawValue), rows: $0.rawValue)
        }
        + [curve("curve", ""), curve("curve_before", ", previous window")]
        + outcomes("with_grace.outcomes.", "with a grace period")
        + [curve("with_grace.curve", ", with a grace period")]
        + outcomes("without_grace.outcomes.", "without a grace period")
        + [curve("without_grace.curve", ", without a grace period"), recoveryByProduct]
        + [
          stretches("by_month", .months, ", by month", ", "),
          stretches("by_week", .weeks, ", by week (from Monday)", ", week of "),
          .list(
            "standing", .standing,
            Recovery.bands.map { band in
              PanelFigure(
                "standing.\(band.from)", "In billing retry for \(band.from) to \(band.to) days", .none)
            }),
        ]),
    .churn: FigureTable(
      [
        byIntent, flow("refunded.paid", "Lost paid, refunded", .bad),
        flow("refunded.trial", "Lost trial, refunded", .bad),
        flow("lost_paid", "Lost, paid or in billing retry", .bad), flow("lost_trial", "Lost trials", .bad),
        flow("voluntary", "Lost paid, voluntary", .bad), flow("involuntary", "Lost paid, involuntary", .bad),
        fixed("base_at_start", "Paid or in retry at the start"), churnRate,
      ] + periods),
    // `CohortCell` parses the paths of these figures.
    .cohorts: FigureTable([
      .list(
        "rows", .cohorts,
        [
          ("rows.*.*", "Still paid after N months"),
          ("rows.*.*.of", "All that have reached that month"), ("rows.*.*.lost", "Of these, no longer paid"),
        ].map { PanelFigure($0, nil, .none).legend($1) })
    ]),
    .offers: FigureTable([
      .list("offers", .offers, offers),
      requests("asked", "Price consent requests"),
      requests("agreed", "Price consent requests, accepted", .good),
      requests("running", "Price consent requests, pending"),
      requests("lapsed", "Price consent requests, expired without consent", .bad),
      fixed("price_increases.pending", "Price increase pending now"),
      fixed("price_increases.lost", "Lost to the price increase", .bad),
      times("turned_off", "Times auto-renew was turned off", .bad),
      times("turned_on_again", "Auto-renew turned off, then on again or renewed", .good),
      times("lapsed", "Auto-renew turned off, then lapsed", .bad),
      times("running", "Auto-renew turned off, still running"),
      fixed("opt_outs.at_stake", "Auto-renew off now, ends within 7 days", .bad),
      .beside("opt_outs.at_stake_mrr", .amount("opt_outs.at_stake"), rows: "opt_outs.at_stake"),
    ]),
    .refunds: FigureTable(
      [
        flow("count", "Refunds", .bad), flow("by_reason.app_issue", "Refunds for an app issue", .bad),
        flow("by_reason.other", "Refunds for other reasons", .bad),
        flow("by_reason.unknown", "Refunds, reason unknown", .bad), amount("amount", "Refund amount", .bad),
        flow("unpriced", "Unpriced refunds", .bad),
        flow("one_time", "Refunds of one-time purchases", .bad),
      ] + cohort + [
        .breakdown(FigureBreakdown("by_product", .product, ["count": "count", "amount": "amount"]))
      ]),
    .upgrades: FigureTable([
      flow("immediate.upgrade", "Immediate upgrades"), flow("immediate.crossgrade", "Immediate crossgrades"),
      flow("immediate.unranked", "Immediate plan changes, unranked"),
      flow("confirmed", "Upgrades dated by Apple"),
      flow("estimated", "Upgrades dated by the next purchase"), amount("prorated_refund", "Upgrade credit"),
      flow("unpriced", "Unpriced upgrades", .bad), flow("undated", "Undated upgrades"),
      flow("at_renewal.downgrade", "Downgrades at renewal"),
      flow("at_renewal.crossgrade", "Crossgrades at renewal"),
      flow("at_renewal.unranked", "Plan changes at renewal, unranked"),
      fixed("pending", "Plan changes pending"),
    ]),
    .movement: FigureTable(
      Movement.groups.flatMap { group in
        group.figures.filter { !$0.isOfConversion }.map { .figure(PanelFigure($0, of: group)) }
      }),
  ]

  // MARK: Kinds of figures

  private static func lines(
    _ path: String, _ words: String, _ rise: Rise = .neutral, needsSnapshots: Bool = false
  ) -> FigureEntry {
    .figure(PanelFigure(path, words, .standing, needsSnapshots: needsSnapshots).rising(rise))
  }

  private static func revenue(
    _ path: String, _ words: String, _ rise: Rise, needsSnapshots: Bool = false
  ) -> FigureEntry {
    .figure(PanelFigure(path, words, .standing, .amount(path), needsSnapshots: needsSnapshots).rising(rise))
  }

  private static func flow(_ path: String, _ words: String, _ rise: Rise = .neutral) -> FigureEntry {
    .figure(PanelFigure(path, words, .happened).rising(rise))
  }

  private static func amount(_ path: String, _ words: String, _ rise: Rise = .neutral) -> FigureEntry {
    .figure(PanelFigure(path, words, .happened, .amount(path)).rising(rise))
  }

  private static func fixed(_ path: String, _ words: String, _ rise: Rise = .neutral) -> FigureEntry {
    .figure(PanelFigure(path, words, .none).rising(rise))
  }

  // MARK: Figures of several panels

  private static let churnRate = FigureEntry.figure(
    PanelFigure(
      "churn_rate", "Churn rate (lost of those paid or in retry at the start)", .none,
      .share("churn_rate", of: "base_at_start")
    ).rising(.bad))

  private static let byIntent = FigureEntry.list(
    "by_intent", .intents,
    [("paid", "Lost paid"), ("trial", "Lost trials")].map { kind, legend in
      PanelFigure("by_intent.*.\(kind)", nil, .happened).legend("\(legend), by Apple's reason").rising(.bad)
        .named { intent in
          let reason =
            intent == "unknown"
            ? LossKind.unknown.words : "\(ExpirationIntent(intent).words) (intent \(intent))"
          return "Lost \(kind), \(reason)"
        }
    })

  private static func revenueAtRisk(graceIsPart: Bool) -> [FigureEntry] {
    let grace = PanelFigure(
      "at_risk_mrr.grace", "MRR at risk in grace", .standing, .amount("at_risk_mrr.grace"),
      needsSnapshots: true
    ).rising(.bad)
    return [
      revenue("at_risk_mrr.billing_retry", "MRR at risk in billing retry", .bad, needsSnapshots: true),
      .figure(graceIsPart ? grace.asPart : grace),
    ]
  }

  private static let autoRenew = [
    lines("renewing", "Auto-renew on", .good), lines("auto_renew_off", "Auto-renew off", .bad),
    lines("auto_renew_unknown", "Auto-renew unknown"),
  ]

  private static let revenueParts = ["renewing", "auto_renew_off", "auto_renew_unknown", "grace"].map {
    FigureEntry.beside("mrr_parts.\($0)", .amount($0), rows: $0)
  }

  /// Purchases in the window, and how many of them have been refunded since.
  ///
  /// The refunds have no trend, because recent purchases have had less time to be refunded.
  private static let cohort = [
    flow("cohort.paid_transactions", "Paid transactions", .good),
    fixed("cohort.refunded", "Paid transactions, refunded since", .bad),
    .beside(
      "cohort.rate", .share("cohort.refunded", of: "cohort.paid_transactions"), rows: "cohort.refunded"),
  ]

  private static let periods: [FigureEntry] =
    [
      .list(
        "renewals", .periods,
        [
          ("due", Rise.neutral), ("renewed", .good), ("recovered", .good), ("pending", .neutral),
          ("lost", .bad),
        ].map { result, rise in
          let words = result == "renewed" ? "renewed on time" : result
          let legend = result == "due" ? "Periods that came due, by length" : "Of these, \(words)"
          return PanelFigure("renewals.*.\(result)", nil, .happened).legend(legend).rising(rise).named {
            "Periods of \(Period(parsing: $0)?.words ?? "unknown length"), \(words)"
          }
        })
    ] + [
      flow("trials.ended", "Trials ended"),
      .figure(
        PanelFigure("trials.converted", "Trials converted", .happened).noted(convertedNote).rising(.good)),
      flow("trials.converted_late", "Trials converted late", .good),
      flow("arrivals.initial", "New periods", .good),
      flow("arrivals.renewal", "Renewed periods", .good),
      flow("arrivals.recovery", "Recovered periods", .good),
      flow("arrivals.unattributed", "Returns, cause unknown", .good),
      .figure(
        PanelFigure("arrivals.reactivation", "Resubscriptions", .happened).noted(
          resubscribedNote
        ).rising(.good)),
    ]

  fileprivate static let convertedNote =
    "in the movement: subscriptions first paid in the window, however late; among trials that ended in it: those paid within 24 h"
  fileprivate static let resubscribedNote =
    "in the movement: subscriptions paid again after they had ended; among purchased periods: all that began after an end, also of a trial, and also first paid ones"
  fileprivate static let convertedInMovementNote =
    "directly from a trial; converted subscribers also include those first paid later, after billing retry or an end"

  private static func due(_ horizon: DueHorizon) -> [PanelFigure] {
    let within = horizon == .day ? "a day" : "\(horizon.days) days"
    let legend = "Due within \(within)"
    let parts: [(ending: String, legend: String, rise: Rise)] = [
      ("", "", .neutral), (", auto-renew on", ", auto-renew on", .good),
      (", unpriced", ", unpriced", .bad),
    ]
    return zip(["lines", "renewing", "unpriced"].map { "\(horizon.path).\($0)" }, parts).map { path, part in
      PanelFigure(path, nil, .none).legend(legend + part.legend).rising(part.rise)
        .named { _ in legend + part.ending }
    }
  }

  /// Returns the breakdowns of subscribers; `paid` is the path of the figure that the breakdowns name `paid`.
  private static func subscribers(paid: String, listsStorefronts: Bool) -> [FigureEntry] {
    let figures: KeyValuePairs = ["paid": paid, "trial": "trial", "grace": "grace", "mrr": "mrr"]
    var storefronts = FigureBreakdown("by_storefront", .storefront, figures)
    storefronts.isInJSON = listsStorefronts
    return [.breakdown(FigureBreakdown("by_product", .product, figures)), .breakdown(storefronts)]
  }

  // MARK: Recovery

  private enum RetryOutcome: String, CaseIterable {
    case entered, recovered
    case stillRetrying = "still_retrying"
    case lost

    var words: String {
      switch self {
      case .entered: "Entered billing retry"
      case .recovered: "Recovered"
      case .stillRetrying: "Still in billing retry"
      case .lost: "Lost after billing retry"
      }
    }

    var rise: Rise { self == .entered ? .neutral : self == .recovered ? .good : .bad }

    var legend: String {
      self == .entered ? words : "Of these, \(words.lowercased().replacing(" after billing retry", with: ""))"
    }
  }

  private static func outcomes(_ prefix: String, _ which: String?) -> [FigureEntry] {
    RetryOutcome.allCases.map { outcome in
      let trend: PanelFigure.Trend = prefix.isEmpty && outcome == .entered ? .happened : .none
      let words = which.map { "\(outcome.words), \($0)" } ?? outcome.words
      return .figure(PanelFigure("\(prefix)\(outcome.rawValue)", words, trend).rising(outcome.rise))
    }
  }

  private static func curve(_ path: String, _ which: String) -> FigureEntry {
    @Sendable func days(_ count: String) -> String { count == "1" ? "1 day" : "\(count) days" }
    return .list(
      path, .curve,
      [
        PanelFigure("\(path).*.recovered", nil, .none)
          .named { "Recovered within \(days($0))\(which)" }
          .legend("Recovered within N days\(which)").rising(.good),
        PanelFigure("\(path).*.of", nil, .none)
          .named { "Entered billing retry \(days($0)) earlier\(which)" }
          .legend("All that entered N days earlier\(which)"),
      ])
  }

  private static func stretches(
    _ path: String, _ list: FigureList, _ legend: String, _ joint: String
  ) -> FigureEntry {
    .list(
      path, list,
      RetryOutcome.allCases.map { outcome in
        PanelFigure("\(path).*.\(outcome.rawValue)", nil, .none)
          .named { "\(outcome.words)\(joint)\($0)" }
          .legend(outcome.legend + (outcome == .entered ? legend : "")).rising(outcome.rise)
      })
  }

  private static let recoveryByProduct: FigureEntry = {
    var breakdown = FigureBreakdown(
      "by_product", .product,
      ["entered": "entered", "recovered": "recovered", "still_retrying": "still_retrying", "lost": "lost"])
    breakdown.object = "outcomes"
    return .breakdown(breakdown)
  }()

  // MARK: Offers

  private static let offers = [
    ("started", "Uses", "Uses: bought in the window, by offer"),
    ("running", "Running", "Running: still in the offer's period"),
    ("converted", "Continued at the standard price", "Converted: continued at the standard price"),
    ("renewed", "Continued at an offer", "Repeat offer: continued at an offer"),
    ("lost", "Lost", "Lost: ended without a paid period after it"),
    ("cost", "Discount", "Cost: standard price less the offer price"),
    ("brought", "Later revenue", "Revenue: price of all later purchases"),
    ("balance", "Net of priced uses", "Net: revenue less cost of priced uses"),
    ("unpriced", "Unpriced", "Not in Net: a price is unknown"),
  ].map { name, words, legend in
    let rise =
      ["converted", "renewed"].contains(name)
      ? Rise.good : ["lost", "unpriced"].contains(name) ? .bad : .neutral
    return PanelFigure("offers.*.\(name)", nil, .none).named { "\(words), \(OfferWords.of($0))" }
      .legend(legend).rising(rise)
  }

  static let besideOffers = [
    FigureMeaning(
      words: "Rate: converted, out of converted and lost", term: "converted / (converted + lost)"),
    FigureMeaning(words: "Left: time until the period ends", term: "pending.*.expires_ms"),
    FigureMeaning(words: "MRR at stake: MRR that ends within 7 days", term: "opt_outs.at_stake_mrr"),
  ]

  private static func requests(_ name: String, _ words: String, _ rise: Rise = .neutral) -> FigureEntry {
    .figure(PanelFigure("price_increases.\(name)", words, .none).counting("request").rising(rise))
  }

  private static func times(_ name: String, _ words: String, _ rise: Rise = .neutral) -> FigureEntry {
    .figure(PanelFigure("opt_outs.\(name)", words, .none).counting("time").rising(rise))
  }
}

extension PanelFigure {
  fileprivate init(_ figure: FigureDefinition, of group: FigureGroup) {
    self.init(
      group.path(of: figure), "\(group.label): \(figure.label.lowercased())",
      figure.isOfStart ? .none : figure.isBalance ? .standing : .happened,
      group.split == .byCurrency ? .amount(group.path(of: figure)) : nil,
      needsSnapshots: figure.needsSnapshots)
    // In `mrr`, losses are negative amounts, so a rise means a smaller loss and is good for every figure.
    let isLoss = figure.isTakenOff && figure.name != Flow.converted.rawValue
    self = rising(group.name == "mrr" || (group.name != "billing_retry" && !isLoss) ? .good : .bad)
    switch path {
    case "subscribers.converted": self = noted(FigureTable.convertedNote)
    case "trials.converted": self = noted(FigureTable.convertedInMovementNote)
    case "subscribers.resubscribed": self = noted(FigureTable.resubscribedNote)
    default: break
    }
  }
}

/// Label of an offer, from its part of a path such as `promo.SPRING`.
private enum OfferWords {
  static func of(_ value: String) -> String {
    let parts = value.split(separator: ".", maxSplits: 1).map(String.init)
    let kind = parts.first.flatMap(PeriodKind.init(rawValue:))?.words ?? parts.first ?? ""
    guard parts.count > 1 else { return kind }
    return kind == "all" ? parts[1] : "\(kind) \(parts[1])"
  }
}
