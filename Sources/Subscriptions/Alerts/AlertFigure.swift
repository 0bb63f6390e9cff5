/// Figure that an alert watches, named by an alias or by a panel and a path in the panel's JSON.
public struct AlertFigure: Hashable, Sendable {
  public let name: String
  public let panel: Panel
  /// Path in the JSON's `data`, or in the report itself (`trust.…`); `reconcile.rest` is in no JSON.
  public let path: String
  public let kind: ReportValue.Kind

  public struct Alias: Hashable, Sendable {
    public let name: String
    public let panel: Panel
    public let path: String
    public let words: String
  }

  public static let aliases = [
    ("paid", Panel.active, "paid", "active paid subscriptions"),
    ("trials", .active, "trial", "trials"),
    ("mrr", .active, "mrr", "monthly recurring revenue"),
    ("new", .movement, "subscribers.new", "new paid subscriptions"),
    ("trials_started", .movement, "trials.trial_started", "trials started"),
    ("lost", .churn, "lost_paid", "lost paid subscriptions"),
    ("churn_rate", .churn, "churn_rate", "churn rate"),
    ("billing_retry", .billingRetry, "lines", "subscriptions in billing retry"),
    (
      "billing_retry.mrr_at_risk", .billingRetry, "at_risk_mrr.billing_retry",
      "monthly revenue at risk in billing retry"
    ),
    ("grace", .billingRetry, "grace.lines", "subscriptions in grace"),
    ("refunds", .refunds, "count", "refunds"),
    ("refund_amount", .refunds, "amount", "refund amount"),
    ("refund_rate", .refunds, "cohort.rate", "refund rate"),
    ("sales", .overview, "sales.amount", "sales"),
    ("fresh", .active, "trust.fresh_24h", "fresh subscriptions (24 h)"),
    ("overdue", .active, "overdue", "unverified subscriptions"),
    (reconcileRest, .overview, reconcileRest, "largest rest of a count against Apple's reports"),
  ].map { Alias(name: $0, panel: $1, path: $2, words: $3) }

  private static let reconcileRest = "reconcile.rest"

  public var isOfReconciliation: Bool { name == Self.reconcileRest }

  public init?(_ name: String) {
    self.name = name
    if let alias = Self.aliases.first(where: { $0.name == name }) {
      (panel, path) = (alias.panel, alias.path)
    } else {
      guard let dot = name.firstIndex(of: "."),
        let panel = Panel(rawValue: String(name[..<dot].map { $0 == "_" ? "-" : $0 }))
      else { return nil }
      self.panel = panel
      let rest = String(name[name.index(after: dot)...])
      path = rest.hasSuffix("_micros") ? String(rest.dropLast("_micros".count)) : rest
    }
    guard let kind = Self.kind(of: path, panel) else { return nil }
    self.kind = kind
  }

  /// Description for people; `nil` if the figure has only its path.
  public var words: String? {
    Self.aliases.first { ($0.panel, $0.path) == (panel, path) }?.words ?? panel.figure(path)?.words
  }

  /// Whether the figure counts or adds up events in a window, or is a share of such events.
  public var isOfWindow: Bool {
    panel.figure(path)?.trend == .happened || ["churn_rate", "cohort.rate"].contains(path)
  }

  /// Whether the figure describes the whole store and cannot be limited to a product.
  var isOfEverything: Bool { path.hasPrefix("trust.") || isOfReconciliation }

  private static func kind(of path: String, _ panel: Panel) -> ReportValue.Kind? {
    if path == reconcileRest { return .count }
    guard let known = blank[panel] else { return nil }
    if let entry = known.entries(path).first { return entry.value?.kind ?? .share }
    if known.amountLists.contains(path) { return .amount }
    if known.lists.contains(path) { return nil }
    // The movement's revenue has several amounts for each currency, so its figures are looked up by path.
    if panel == .movement { return FigurePath(path, of: panel) == nil ? nil : .amount }
    // The path may name a product or storefront that the store does not have yet.
    guard let list = known.lists.first(where: { path.hasPrefix("\($0).") }),
      path.dropFirst(list.count + 1).contains(".")
    else { return nil }
    let last = path.split(separator: ".").last.map(String.init) ?? ""
    return amounts.contains(last) ? .amount : last == "rate" ? .share : .count
  }

  private static let amounts: Set = [
    "mrr", "mrr_of", "mrr_change", "amount", "proceeds", "expected", "cost", "brought",
  ]

  /// Values of an empty store by panel, with every path that contains no name such as a product id.
  private static let blank: [Panel: ReportValues] = {
    let empty = EvidenceLedger([], catalog: .empty)
    return Dictionary(
      uniqueKeysWithValues: Panel.allCases.map { panel in
        (panel, ReportValues(empty.report(Question(panel: panel, at: Instant(milliseconds: 0)))))
      })
  }()

  /// Returns the paths in the JSON's `data` without names such as product ids, for `subtop help alerts`.
  public static func paths(of panel: Panel) -> [String] {
    guard let known = blank[panel] else { return [] }
    return (known.entries.map(\.path).filter { !$0.hasPrefix("trust.") } + known.amountLists).sorted()
  }
}
