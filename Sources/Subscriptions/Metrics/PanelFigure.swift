/// A figure of a panel that opens into rows, declared: its name, its words and how a trend follows it. What it counts stands in
/// `PanelCounting`. Figures of panels that are declared as a whole (`FigureGroup`) are among them.
public struct PanelFigure: Sendable {
  /// Its path in the panel's JSON; `*` stands for a value of Apple's or the catalogue's.
  public let path: String
  /// For people; nil where they depend on such a value.
  public private(set) var words: String?
  let trend: Trend
  /// Whether it is what lines cost a month, instead of their number.
  let isRevenue: Bool
  /// Whether only snapshots can tell it of a past instant: METRICS §4, courses.
  let needsSnapshots: Bool
  /// The words where they depend on the value in its path.
  private var wordsOfValue: (@Sendable (String) -> String)?

  enum Trend {
    /// Where lines stand.
    case standing
    /// What happened in the window.
    case happened
    /// Of the question's instant or the window's start alone.
    case none
  }

  private init(
    _ path: String, _ words: String?, _ trend: Trend, isRevenue: Bool = false, needsSnapshots: Bool = false
  ) {
    self.path = path
    self.words = words
    self.trend = trend
    self.isRevenue = isRevenue
    self.needsSnapshots = needsSnapshots
  }

  fileprivate static func standing(_ path: String, _ words: String, needsSnapshots: Bool = false) -> Self {
    Self(path, words, .standing, needsSnapshots: needsSnapshots)
  }

  fileprivate static func revenue(_ path: String, _ words: String, needsSnapshots: Bool = false) -> Self {
    Self(path, words, .standing, isRevenue: true, needsSnapshots: needsSnapshots)
  }

  fileprivate static func happened(_ path: String, _ words: String? = nil) -> Self {
    Self(path, words, .happened)
  }

  fileprivate static func fixed(_ path: String, _ words: String? = nil) -> Self { Self(path, words, .none) }

  fileprivate static func fixed(_ path: String, words: @escaping @Sendable (String) -> String) -> Self {
    var figure = Self(path, nil, .none)
    figure.wordsOfValue = words
    return figure
  }

  /// What a figure counts that a subscription may be in several times; nil where it counts subscriptions or transactions.
  public var countsTimes: String? {
    switch path {
    case "price_increases.asked", "price_increases.agreed", "price_increases.running",
      "price_increases.lapsed":
      "request"
    case "opt_outs.turned_off", "opt_outs.turned_on_again", "opt_outs.lapsed", "opt_outs.running": "time"
    default: nil
    }
  }

  fileprivate func with(value: some StringProtocol) -> Self {
    var figure = self
    figure.words = wordsOfValue?(String(value)) ?? words
    return figure
  }

  fileprivate init(_ figure: FigureDefinition, of group: FigureGroup) {
    self.init(
      group.path(of: figure), "\(group.label): \(figure.label.lowercased())",
      figure.isOfStart ? .none : figure.isBalance ? .standing : .happened,
      needsSnapshots: figure.needsSnapshots)
  }
}

extension Panel {
  /// The figures that open into rows. `FigurePath` reads further paths, which open into the rows of one of these.
  public var figures: [PanelFigure] { PanelFigures.declared[self]?.figures ?? [] }

  public var figureNames: [String] { figures.map(\.path) }

  /// The figure of a path; nil where the panel has none of the name, whatever it is now.
  public func figure(_ path: String) -> PanelFigure? {
    self == .cohorts
      ? CohortCell(path: path).map { PanelFigure.fixed(path, $0.words) } : PanelFigures.declared[self]?[path]
  }

  /// Whether a figure is of what happened in the window, and followed by its trend.
  public func happens(_ path: String) -> Bool { path == Self.eventCount || figure(path)?.trend == .happened }

  /// The name under which a trend follows the number of events, which are no figure's rows.
  public static let eventCount = "count"
  /// What Apple leaves of a sale, which no trend follows.
  static let proceeds = "sales.proceeds"
}

/// The figures of a panel, by their paths.
private struct PanelFigures: Sendable {
  let figures: [PanelFigure]
  private let byPath: [String: PanelFigure]

  init(_ figures: [PanelFigure]) {
    self.figures = figures
    byPath = Dictionary(figures.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(path: String) -> PanelFigure? {
    if let figure = byPath[path] { return figure }
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 2, let last = parts.last else { return nil }
    if parts.count == 3 || parts[0] == "offers" {
      // Offers may have dots of their own.
      return byPath["\(parts[0]).*.\(last)"]?.with(value: parts[1..<parts.count - 1].joined(separator: "."))
    }
    return parts.count == 4 ? byPath["\(parts[0]).\(parts[1]).*.\(last)"]?.with(value: parts[2]) : nil
  }

  static let declared: [Panel: Self] = [
    .overview: Self(
      [
        .standing("active_paid", "Active paid"), .standing("trial", "Trials"),
        .standing("grace", "In grace", needsSnapshots: true), .standing("overdue", "Not confirmed yet"),
        .revenue("mrr", "MRR"), .standing("billing_retry", "Billing retry", needsSnapshots: true),
        .happened("lost_paid", "Lost, paid or in billing retry"), .happened("lost_trial", "Lost trials"),
        .happened("refunds", "Refunds"), .happened("refund_amount", "Refunds at price"),
        .happened("prorated_refund", "Upgrade credit"),
        .fixed("churn_rate", "Lost of those paid or in retry at the start"), .happened("by_intent.*.paid"),
        .happened("by_intent.*.trial"), .happened("sales.transactions", "Paid purchases"),
        .happened("sales.unpriced", "Purchases without a price"), .happened("sales.amount", "Sales"),
        .fixed(Panel.proceeds, "Proceeds"), .happened("sales.after_one_year", "At 15 % after a paid year"),
        .happened("sales.small_business", "At 15 % in the Small Business Program"),
        .happened("cohort.paid_transactions", "Bought, paid"),
        // What comes back of a cohort does so after the cohort was bought.
        .fixed("cohort.refunded", "Bought and refunded since"),
      ] + revenueAtRisk + autoRenew
        + DueHorizon.allCases.flatMap { DueFigures.names(within: $0.days).map { .fixed($0) } } + periods),
    .active: Self(
      [
        .standing("paid", "Active paid"), .standing("trial", "Trials"),
        .standing("grace", "In grace", needsSnapshots: true), .standing("overdue", "Not confirmed yet"),
        .revenue("mrr", "MRR"),
        .standing("trial_auto_renew_off", "Trials with auto-renew off"),
        .standing("by_kind.intro", "Active on an intro offer"),
        .standing("by_kind.code", "Active on an offer code"),
        .standing("by_kind.promo", "Active on a promo offer"),
        .standing("by_kind.winback", "Active on a win-back offer"),
        .standing("by_kind.standard", "Active at the standard price"),
      ] + autoRenew),
    .billingRetry: Self(
      [
        .standing("lines", "In billing retry", needsSnapshots: true),
        .standing("grace.lines", "In grace", needsSnapshots: true),
      ] + revenueAtRisk),
    .churn: Self(
      [
        .happened("lost_paid", "Lost, paid or in billing retry"), .happened("lost_trial", "Lost trials"),
        .happened("by_intent.*.paid"), .happened("by_intent.*.trial"),
        .happened("refunded.paid", "Lost paid, refunded"),
        .happened("refunded.trial", "Lost trial, refunded"),
        .happened("voluntary", "Lost paid, voluntary"), .happened("involuntary", "Lost paid, involuntary"),
        .fixed("churn_rate", "Lost of those paid or in retry at the start"),
        .fixed("base_at_start", "Paid or in retry at the start"),
      ] + periods),
    .recovery: Self(
      [
        .happened("entered", "Came to billing retry"), .fixed("recovered", "Paid again"),
        .fixed("still_retrying", "Still in billing retry"), .fixed("lost", "Lost after billing retry"),
      ] + curve("curve", "") + curve("curve_before", ", the window before")
        + retries("with_grace", "with grace first") + retries("without_grace", "without grace")
        + RetryOutcome.allCases.map { outcome in
          .fixed("by_month.*.\(outcome.rawValue)") { "\(outcome.words), \($0)" }
        }
        + RetryOutcome.allCases.map { outcome in
          .fixed("by_week.*.\(outcome.rawValue)") { "\(outcome.words), week of \($0)" }
        }
        + RecoveryFigures.bands.map { band in
          .fixed("standing.\(band.from)", "In billing retry for \(band.from) to \(band.to) days")
        }),
    .offers: Self(
      [
        ("started", "Started"), ("running", "Running"), ("converted", "Went on at the standard price"),
        ("renewed", "Went on at an offer"), ("lost", "Lost"), ("cost", "Less than the standard price"),
        ("brought", "Bought later"), ("balance", "Brought less cost, where every price is known"),
        ("unpriced", "Without a price"),
      ].map { name, words in .fixed("offers.*.\(name)") { "\(words), \(OfferWords.of($0))" } } + [
        .fixed("price_increases.asked", "Requests to agree to a higher price"),
        .fixed("price_increases.agreed", "Requests for a higher price, agreed"),
        .fixed("price_increases.running", "Requests for a higher price, not answered yet"),
        .fixed("price_increases.lapsed", "Requests for a higher price, ended without an agreement"),
        .fixed("price_increases.pending", "Not agreed to a higher price, as of now"),
        .fixed("price_increases.lost", "Lost over a higher price"),
        .fixed("opt_outs.turned_off", "Times auto-renew was turned off"),
        .fixed("opt_outs.turned_on_again", "Auto-renew turned off, on again or renewed"),
        .fixed("opt_outs.lapsed", "Auto-renew turned off, ended"),
        .fixed("opt_outs.running", "Auto-renew turned off, still running"),
        .fixed("opt_outs.at_stake", "Auto-renew off now, ends within 7 days"),
      ]),
    .refunds: Self([
      .happened("count", "Refunds"), .happened("by_reason.app_issue", "Refunds for an app issue"),
      .happened("by_reason.other", "Refunds for another reason"),
      .happened("by_reason.unknown", "Refunds, unknown why"), .happened("amount", "Refunds at price"),
      .happened("unpriced", "Refunds without a price"),
      .happened("one_time", "Refunds of one-time purchases"),
      .happened("cohort.paid_transactions", "Bought, paid"),
      .fixed("cohort.refunded", "Bought and refunded since"),
    ]),
    .upgrades: Self([
      .happened("immediate.upgrade", "Upgrades at once"),
      .happened("immediate.crossgrade", "Crossgrades at once"),
      .happened("immediate.unranked", "Changes at once, unranked"),
      .happened("confirmed", "Upgrades dated by Apple"),
      .happened("estimated", "Upgrades dated by the successor"),
      .happened("prorated_refund", "Upgrade credit"), .happened("unpriced", "Upgrades without a price"),
      .happened("undated", "Upgrades that nothing dates"),
      .happened("at_renewal.downgrade", "Downgrades at renewal"),
      .happened("at_renewal.crossgrade", "Crossgrades at renewal"),
      .happened("at_renewal.unranked", "Changes at renewal, unranked"), .fixed("pending", "Changes pending"),
    ]),
    // Read by `CohortCell`.
    .cohorts: Self([.fixed("rows.*.*"), .fixed("rows.*.*.of"), .fixed("rows.*.*.lost")]),
    .movement: Self(
      Movement.groups.flatMap { group in
        group.figures.filter { !$0.isOfConversion }.map { PanelFigure($0, of: group) }
      }),
  ]

  private enum RetryOutcome: String, CaseIterable {
    case entered, recovered
    case stillRetrying = "still_retrying"
    case lost

    var words: String {
      switch self {
      case .entered: "Came to billing retry"
      case .recovered: "Paid again"
      case .stillRetrying: "Still in billing retry"
      case .lost: "Lost after billing retry"
      }
    }
  }

  private static func days(_ count: String) -> String { count == "1" ? "1 day" : "\(count) days" }

  private static func curve(_ path: String, _ which: String) -> [PanelFigure] {
    [
      .fixed("\(path).*.recovered") { "Paid again within \(days($0))\(which)" },
      .fixed("\(path).*.of") { "Came to billing retry \(days($0)) earlier\(which)" },
    ]
  }

  private static func retries(_ part: String, _ which: String) -> [PanelFigure] {
    RetryOutcome.allCases.map {
      .fixed("\(part).outcomes.\($0.rawValue)", "\($0.words), \(which)")
    } + curve("\(part).curve", ", \(which)")
  }

  private static let revenueAtRisk: [PanelFigure] = [
    .revenue("at_risk_mrr.billing_retry", "MRR at risk in billing retry", needsSnapshots: true),
    .revenue("at_risk_mrr.grace", "MRR at risk in grace", needsSnapshots: true),
  ]

  private static let autoRenew: [PanelFigure] = [
    .standing("renewing", "Auto-renew on"), .standing("auto_renew_off", "Auto-renew off"),
    .standing("auto_renew_unknown", "Auto-renew unknown"),
  ]

  /// What became of periods, and how they came about.
  private static let periods: [PanelFigure] =
    ["due", "renewed", "recovered", "pending", "lost"].map { .happened("renewals.*.\($0)") } + [
      .happened("trials.ended", "Trials ended"), .happened("trials.converted", "Trials converted"),
      .happened("trials.converted_late", "Trials converted late"),
      .happened("arrivals.initial", "Periods begun new"), .happened("arrivals.renewal", "Periods renewed"),
      .happened("arrivals.recovery", "Periods begun out of billing retry"),
      .happened("arrivals.unattributed", "Periods begun on return, unknown how"),
      .happened("arrivals.reactivation", "Periods begun on resubscribing"),
    ]
}

/// What an offer is called for people, from its part of a path: `promo.SPRING`.
private enum OfferWords {
  static func of(_ value: String) -> String {
    let parts = value.split(separator: ".", maxSplits: 1).map(String.init)
    let kind = parts.first.flatMap(PeriodKind.init(rawValue:))?.words ?? parts.first ?? ""
    return parts.count > 1 ? "\(kind) \(parts[1])" : kind
  }
}
