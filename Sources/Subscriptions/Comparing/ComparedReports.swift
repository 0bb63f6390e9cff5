/// Two reports side by side, figure by figure.
public struct ComparedReports: Hashable, Sendable {
  public struct Figure: Hashable, Sendable {
    public var path: String
    /// Path of the figure that provides the label and the rows.
    public var figure: String
    public var currency: CurrencyCode?
    /// Whether the values are totals converted to the reporting currency.
    public var isConverted: Bool
    public var this: ReportValue?
    public var that: ReportValue?

    public var difference: ReportValue? { that.flatMap { this?.less($0) } }

    /// Whether the figure counts unknown data, which decreases when more receipts are validated.
    public var isOfUnknown: Bool { figure.hasSuffix("auto_renew_unknown") }

    /// Relative change; `nil` for shares, if `isOfUnknown`, if a value is unknown, or if `that` is 0.
    public var change: Double? {
      guard let this, let that, that.kind != .share, that.number != 0, !isOfUnknown else { return nil }
      return (this.number - that.number) / that.number.magnitude
    }
  }

  public let comparison: Comparison
  public let this: Report
  public let that: Report
  /// Whether the evidence reaches back to `that`: both reports are for the same instant, or the window of
  /// `that` begins no earlier than the first purchase.
  public let isKnown: Bool
  public let figures: [Figure]

  /// - Parameter firstPurchase: First purchase of any subscription, before which nothing is known.
  public init(_ comparison: Comparison, _ this: Report, _ that: Report, firstPurchase: Instant?) {
    self.comparison = comparison
    self.this = this.without { comparison.leavesOut($0, of: this.report) }
    self.that = that.without { comparison.leavesOut($0, of: that.report) }
    let isKnown = comparison.isOfOneTime || firstPurchase.map { $0 <= that.window.from } ?? false
    self.isKnown = isKnown
    var (here, there) = (ReportValues(this), ReportValues(that))
    let behind = FiguresOfValues(this, that)
    let (knownHere, knownThere) = (
      ComparedEvidence(this, here, isPast: false),
      ComparedEvidence(that, there, isPast: !comparison.isOfOneTime)
    )
    let averages = Self.averages(comparison, this.data, that.data, of: this.report)
    comparison.alignCohorts(&here, &there, since: firstPurchase, of: this.report)
    figures =
      averages.map { path, one, other in
        Figure(path: path, figure: path, isConverted: false, this: one, that: isKnown ? other : nil)
      }
      + Self.pairs(comparison, here, there, of: this.report).map { entry, other in
        let figure = behind.figure(of: entry.path)
        return Figure(
          path: entry.path, figure: figure, currency: entry.currency, isConverted: entry.isConverted,
          this: knownHere.knows(figure) ? entry.value : nil,
          that: isKnown && knownThere.knows(figure) ? other : nil)
      }
  }

  /// Returns the average retention after several months for the Cohorts panel; single cohorts are too small.
  ///
  /// If all cohorts are compared with one, `that` is the rate of the one. The result is empty for other
  /// panels, and if two single cohorts are compared.
  private static func averages(
    _ comparison: Comparison, _ here: FigureValues, _ there: FigureValues, of panel: Panel
  ) -> [(path: String, this: ReportValue?, that: ReportValue?)] {
    guard panel == .cohorts else { return [] }
    let months: [Int]
    let other: (Int) -> Double?
    switch comparison {
    case .cohorts(.some, _): return []
    case .cohorts(nil, let month):
      let cells = there[parts: "rows"].first { $0.month == month }?[parts: "retained"] ?? []
      months = cells.map { $0["months"] }.filter { $0 > 0 }
      other = { months in cells.first { $0["months"] == months }?[share: "rate"] }
    default:
      months = [1, 3, 6, 12, 24]
      other = { there.average(after: $0).share }
    }
    return months.map { months in
      (
        "average.\(months).rate", here.average(after: months).share.map(ReportValue.share),
        other(months).map(ReportValue.share)
      )
    }
  }

  private static func pairs(
    _ comparison: Comparison, _ this: ReportValues, _ that: ReportValues, of panel: Panel
  ) -> [(ReportValues.Entry, ReportValue?)] {
    /// Returns the entry as a lookup key: without a value and, if `isConverted` is given, with this flag.
    func name(_ entry: ReportValues.Entry, isConverted: Bool? = nil) -> ReportValues.Entry {
      var name = entry
      (name.value, name.isConverted) = (nil, isConverted ?? entry.isConverted)
      return name
    }
    func isOfIt(_ entry: ReportValues.Entry) -> Bool {
      !entry.path.hasPrefix("trust.") && comparison.compares(entry.path, of: panel)
    }
    let (here, there) = (this.entries.filter(isOfIt), that.entries.filter(isOfIt))
    let others = Dictionary(there.map { (name($0), $0.value) }) { first, _ in first }
    let known = Dictionary(here.map { (name($0), $0.value) }) { first, _ in first }
    // A product or currency of only one side counts as 0 on the other side. A missing share is unknown, and
    // so is a month that a cohort has not reached yet.
    func nothing(_ entry: ReportValues.Entry) -> ReportValue? {
      guard let value = entry.value, value.kind != .share, !entry.path.contains(".retained.") else {
        return nil
      }
      return value.with(0)
    }
    let both = here.map { entry -> (ReportValues.Entry, ReportValue?) in
      guard let other = others[name(entry)] ?? others[name(entry, isConverted: false)] else {
        return (entry, nothing(entry))
      }
      return (entry, other)
    }
    let onlyThere = there.filter { known[name($0)] == nil }.map { entry in
      var missing = entry
      missing.value = known[name(entry, isConverted: false)] ?? nothing(entry)
      return (missing, entry.value)
    }
    return both + onlyThere
  }

  public var comparedData: ComparedData {
    ComparedData(data: this.data, leftOut: comparison.leftOut(of: this.report))
  }

  /// The other side's data, with null for figures that are unknown at an earlier instant, except in cohorts
  /// of a year earlier; `nil` if nothing is known about that side.
  public var otherData: ComparedData? {
    guard isKnown else { return nil }
    let isAligned = comparison.cohortsApart(of: that.report) != 0
    let unknown =
      comparison.isOfOneTime || isAligned ? [] : Set(figures.filter { $0.that == nil }.map(\.path))
    return ComparedData(data: that.data, leftOut: comparison.leftOut(of: that.report), unknown: unknown)
  }
}

extension Comparison {
  /// Renames the cohorts of `that` to their counterparts' months, and removes cohorts without a counterpart.
  fileprivate func alignCohorts(
    _ this: inout ReportValues, _ that: inout ReportValues, since firstPurchase: Instant?, of panel: Panel
  ) {
    guard panel == .cohorts else { return }
    let apart = cohortsApart(of: panel)
    let begin = firstPurchase.map(CivilMonth.init(of:))
    func keep(_ values: inout ReportValues, _ isKept: (CivilMonth) -> Bool) {
      values.keep { $0.cohort.map(isKept) ?? true }
    }
    switch self {
    case .year:
      keep(&this) { month in begin.map { $0 <= month.adding(months: -apart) } ?? false }
    case .cohorts(let first, let second):
      keep(&this) { $0 == first }
      keep(&that) { first != nil && $0 == second }
    case .before, .products, .storefronts, .offers, .environment: return
    }
    that.rename { path in
      guard let month = path.cohort else { return path }
      let name = "rows.\(month)"
      return "rows.\(month.adding(months: apart))" + path.dropFirst(name.count)
    }
  }
}

extension String {
  /// Month of a cohort's path, such as `rows.2026-03.lines`.
  fileprivate var cohort: CivilMonth? {
    let parts = split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0] == "rows" ? CivilMonth(parsing: String(parts[1])) : nil
  }
}

/// Data of a report, limited to the compared figures, with null for unknown figures.
public struct ComparedData: Encodable, Sendable {
  fileprivate let data: FigureValues
  fileprivate let leftOut: Set<String>
  /// Paths of values that are encoded as null; elements of lists, such as products, keep their values.
  fileprivate var unknown: Set<String> = []

  public func encode(to encoder: any Encoder) throws {
    var shown = data
    for path in shown.paths {
      if leftOut.contains(String(path.prefix { $0 != "." })) {
        shown[value: path] = nil
      } else if unknown.contains(path) {
        shown[share: path] = nil
      }
    }
    try shown.encode(to: encoder)
  }
}

extension Report {
  fileprivate func without(_ isLeftOut: (String) -> Bool) -> Report {
    var report = self
    report.trend = trend.without(isLeftOut)
    return report
  }
}
