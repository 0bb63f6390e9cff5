import Subscriptions

extension Comparison {
  /// As it is typed: what `Comparison(parsing:)` reads.
  var text: String {
    switch self {
    case .before: "before"
    case .year: "year"
    case .products(let first, let second): "product:\(first.map { "\($0)," } ?? "")\(second)"
    case .storefronts(let first, let second): "storefront:\(first.map { "\($0)," } ?? "")\(second)"
    case .environment(let environment): "environment:\(environment.rawValue)"
    }
  }

  /// What stands beside what.
  func words(in wording: Wording) -> String {
    switch self {
    case .before: "this window and the one before"
    case .year: "this window and the same days a year ago"
    case .products(let first, let second):
      "\(first.map(wording.products.name) ?? "every product") and \(wording.products.name(of: second))"
    case .storefronts(let first, let second):
      "storefronts \(first.map { $0.rawValue } ?? "all") and \(second)"
    case .environment(let environment): "this environment and \(environment.words)"
    }
  }

  /// The names of both sides.
  func sides(_ reports: ComparedReports, in wording: Wording) -> (this: String, that: String) {
    switch self {
    case .before, .year: (wording.date(reports.this.asOfMs), wording.date(reports.that.asOfMs))
    case .products(let first, let second):
      (first.map(wording.products.name) ?? "every product", wording.products.name(of: second))
    case .storefronts(let first, let second): (first.map { $0.rawValue } ?? "all", second.rawValue)
    case .environment(let environment): (reports.this.scope.environment.words, environment.words)
    }
  }
}
