import Subscriptions

extension ComparedReports {
  /// Figures for the table, without zeros, figures of other panels and minor points of curves.
  ///
  /// A converted amount precedes the amounts in each currency or, in breakdowns, replaces them.
  var shown: [Figure] {
    var places: [String: Int] = [:]
    var groups: [[Figure]] = []
    for figure in figures where !figure.isNothing && !isLeftOut(figure.path) {
      let place = places[figure.path] ?? groups.count
      if place == groups.count { groups.append([]) }
      places[figure.path] = place
      groups[place].append(figure)
    }
    if this.report == .cohorts { groups = Self.newestFirst(groups) }
    return groups.flatMap { group in
      let whole = group.filter(\.isConverted)
      // If both sides are unknown in all currencies, one row is enough.
      guard group.contains(where: { $0.this != nil || $0.that != nil }) else { return Array(group.prefix(1)) }
      let own = group.filter { !$0.isConverted }
      return whole + (!whole.isEmpty && Self.isOfPart(own.first?.path ?? "") ? [] : own)
    }
  }

  /// Returns averages, then cohorts from the newest to the oldest; figures that one side lacks are omitted.
  private static func newestFirst(_ groups: [[Figure]]) -> [[Figure]] {
    func month(_ group: [Figure]) -> Substring? {
      group.first.flatMap { $0.path.hasPrefix("rows.") ? $0.path.dropFirst(5).prefix { $0 != "." } : nil }
    }
    let known = groups.filter { $0.contains { $0.this != nil && $0.that != nil } }
    let averages = known.filter { month($0) == nil }
    var places: [Substring: [[Figure]]] = [:]
    for group in known { if let month = month(group) { places[month, default: []].append(group) } }
    return averages + places.sorted { $0.key > $1.key }.flatMap(\.value)
  }

  /// Whether to omit a figure because another panel shows it or because it is a minor point of a curve.
  private func isLeftOut(_ path: String) -> Bool {
    let parts = path.split(separator: ".")
    switch this.report {
    case .overview: return Self.ofOtherPanels.contains { path.hasPrefix($0) }
    case .cohorts:
      if parts.first == "average" { return false }
      guard parts.count > 3 else { return parts.last != "lines" }
      if comparison.isOfOneCohort { return parts.last != "rate" || parts[3] == "0" }
      return parts.last != "rate" || !Self.tellingMonths.contains(String(parts[3]))
    case .recovery:
      let isOfCurve = parts.contains { $0.hasPrefix("curve") }
      return parts.first == "curve_before" || isOfCurve && parts.last != "rate"
    default: return false
    }
  }

  private static let tellingMonths: Set = ["1", "3", "6", "12", "24"]

  private static let ofOtherPanels = [
    "movement.", "movement_by_product.", "revenue_change.", "by_product.", "by_storefront.", "by_intent.",
    "sales.by_storefront.", "newest_events.",
  ]

  private static func isOfPart(_ path: String) -> Bool {
    path.split(separator: ".").contains {
      $0.hasPrefix("by_") || ["offers", "standing", "mrr_parts"].contains($0)
    }
  }
}

extension ComparedReports.Figure {
  fileprivate var isNothing: Bool { (this?.number ?? 0) == 0 && that?.number == 0 }
}
