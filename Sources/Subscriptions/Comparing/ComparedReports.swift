/// Two reports beside each other, figure by figure.
public struct ComparedReports: Hashable, Sendable {
  public struct Figure: Hashable, Sendable {
    /// Its path in the panel's JSON.
    public var path: String
    /// The figure whose words it has and whose rows are behind it.
    public var figure: String
    public var currency: CurrencyCode?
    /// Whether it is all of an amount in the reporting currency.
    public var isConverted: Bool
    /// Nil is unknown.
    public var this: ReportValue?
    public var that: ReportValue?

    /// Nil where one of them is unknown.
    public var difference: ReportValue? { that.flatMap { this?.less($0) } }

    /// As a share of what it is compared with; nil where that is unknown or nothing, and of shares, whose difference says more.
    public var change: Double? {
      guard let this, let that, that.kind != .share, that.number != 0 else { return nil }
      return (this.number - that.number) / that.number.magnitude
    }
  }

  public let comparison: Comparison
  public let this: Report
  public let that: Report
  /// Whether anything is known of what it is compared with.
  public let isKnown: Bool
  /// In the report's order.
  public let figures: [Figure]

  /// - Parameter firstPurchase: of any subscription; before it nothing is known. Nil where there is none.
  public init(_ comparison: Comparison, _ this: Report, _ that: Report, firstPurchase: Instant?) {
    self.comparison = comparison
    self.this = this
    self.that = that
    let isKnown = comparison.isOfOneTime || firstPurchase.map { $0 <= that.window.from } ?? false
    self.isKnown = isKnown
    let behind = FiguresOfValues(this, that)
    figures = Self.pairs(comparison, ReportValues(this), ReportValues(that)).map { entry, other in
      Figure(
        path: entry.path, figure: behind.figure(of: entry.path), currency: entry.currency,
        isConverted: entry.isConverted,
        this: entry.value,
        that: isKnown && !(comparison.isOfOneTime ? false : that.couldNotKnow(behind.figure(of: entry.path)))
          ? other : nil)
    }
  }

  /// Every figure of either side with its value here and there.
  private static func pairs(
    _ comparison: Comparison, _ this: ReportValues, _ that: ReportValues
  ) -> [(ReportValues.Entry, ReportValue?)] {
    struct Name: Hashable {
      var path: String
      var currency: CurrencyCode?
      var isConverted: Bool
      init(_ entry: ReportValues.Entry) {
        (path, currency, isConverted) = (entry.path, entry.currency, entry.isConverted)
      }
    }
    func isOfIt(_ entry: ReportValues.Entry) -> Bool {
      !entry.path.hasPrefix("trust.") && comparison.compares(entry.path)
    }
    let (here, there) = (this.entries.filter(isOfIt), that.entries.filter(isOfIt))
    let others = Dictionary(there.map { (Name($0), $0.value) }) { first, _ in first }
    let known = Set(here.map(Name.init))
    // What only one of both has is nothing on the other side: a product, a currency.
    let both = here.map { entry -> (ReportValues.Entry, ReportValue?) in
      guard let other = others[Name(entry)] else { return (entry, entry.value?.with(0)) }
      return (entry, other)
    }
    let onlyThere = there.filter { !known.contains(Name($0)) }.map { entry in
      var nothing = entry
      nothing.value = entry.value?.with(0)
      return (nothing, entry.value)
    }
    return both + onlyThere
  }
}

extension Report {
  /// Whether only answers of its time could have told a figure, and there were none of some line.
  func couldNotKnow(_ path: String) -> Bool {
    guard let figure = FigurePath(path, of: report).flatMap({ self.report.figure($0.name) }),
      figure.needsSnapshots
    else { return false }
    let series = trend.series.filter { $0.figure == figure.path }
    return series.contains { $0.values.last == .some(nil) }
  }
}
