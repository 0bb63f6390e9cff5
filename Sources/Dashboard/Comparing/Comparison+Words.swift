import Subscriptions

extension Comparison {
  /// Text that `Comparison(parsing:)` reads.
  var text: String {
    switch self {
    case .before: "before"
    case .year: "year"
    case .products(let first, let second): "product:\(first.map { "\($0)," } ?? "")\(second)"
    case .storefronts(let first, let second): "storefront:\(first.map { "\($0)," } ?? "")\(second)"
    case .offers(let first, let second): "offer:\(first.map { "\($0.text)," } ?? "")\(second.text)"
    case .cohorts(let first, let second): "cohort:\(first.map { "\($0)," } ?? "")\(second)"
    case .environment(let environment): "environment:\(environment.rawValue)"
    }
  }

  func words(of panel: Panel, in formatter: DisplayFormatter) -> String {
    switch self {
    case .before: "this window and the previous one"
    case .year where panel == .cohorts: "each cohort and the one a year earlier, to the same day"
    case .year: "this window and a year earlier"
    case .products(let first, let second):
      "\(first.map(formatter.products.name) ?? "every product") and \(formatter.products.name(of: second))"
    case .storefronts(let first, let second):
      "storefronts \(first.map { $0.rawValue } ?? "all") and \(second)"
    case .offers(let first, let second): "\(first?.words ?? "every offer") and \(second.words)"
    case .cohorts(let first, let second): "\(first?.description ?? "every cohort on average") and \(second)"
    case .environment(let environment): "this environment and \(environment.words)"
    }
  }

  func sides(_ reports: ComparedReports, in formatter: DisplayFormatter) -> (this: String, that: String) {
    switch self {
    case .year where reports.this.report == .cohorts: ("cohort", "a year earlier")
    case .before, .year: (formatter.end(of: reports.this.window), formatter.end(of: reports.that.window))
    case .products(let first, let second):
      (first.map(formatter.products.name) ?? "every product", formatter.products.name(of: second))
    case .storefronts(let first, let second): (first.map { $0.rawValue } ?? "all", second.rawValue)
    case .offers(let first, let second): (first?.words ?? "every offer", second.words)
    case .cohorts(let first, let second): (first?.description ?? "on average", "\(second)")
    case .environment(let environment): (reports.this.scope.environment.words, environment.words)
    }
  }

  /// Returns a sentence on why the comparison is impossible on a panel; `nil` if it is possible.
  public func problem(with panel: Panel) -> String? {
    func names(_ panels: [Panel]) -> String { panels.map(\.rawValue).joined(separator: ", ") }
    guard Comparison.panels.contains(panel) else { return "\(panel.rawValue) has no figures to compare." }
    switch self {
    case .before where panel == .cohorts:
      return "Cohorts have no window, so there is no previous one; "
        + "compare them with year or cohort:MONTH."
    case .storefronts where !panel.comparesStorefronts:
      return "Figures of \(panel.rawValue) are not split by storefront; "
        + "those of \(names(Panel.allCases.filter(\.comparesStorefronts))) are."
    case .offers where panel != .cohorts, .cohorts where panel != .cohorts:
      return "Figures of \(panel.rawValue) are not split by \(isOfOffers ? "offer" : "cohort"); "
        + "those of cohorts are."
    default: return nil
    }
  }

  var isOfOneCohort: Bool { if case .cohorts = self { true } else { false } }
  private var isOfOffers: Bool { if case .offers = self { true } else { false } }

  /// Returns a sentence on the panel's figures that cannot be compared; `nil` if all can.
  func omission(of panel: Panel) -> String? {
    guard case .storefronts = self else { return nil }
    return switch panel {
    case .overview:
      "Not split by storefront: refunds, upgrade credit, renewals, ended trials and due periods."
    case .churn: "Not split by storefront: renewals and ended trials."
    default: nil
    }
  }
}

extension ComparedReports {
  /// Error message for a compared cohort without lines; `nil` if all compared cohorts exist.
  public var missing: String? {
    guard case .cohorts(let first, let second) = comparison, this.report == .cohorts else { return nil }
    let months = this.data[parts: "rows"].compactMap(\.month)
    let asked = [first, second].compactMap(\.self)
    guard let none = asked.first(where: { !months.contains($0) }) else { return nil }
    let advice =
      months.first.map { "cohorts run from \($0) to \(months.last ?? $0)" } ?? "there are no cohorts yet"
    return "cannot compare with cohort \(none): no subscription was first paid then; \(advice)"
  }
}
