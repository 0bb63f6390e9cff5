/// Sum of a reconciliation's rows: one figure, or its part for a day, product, storefront or currency.
public struct ReconciledLine: Hashable, Sendable {
  public enum Split: String, Hashable, Sendable, CaseIterable {
    case day, product, storefront, currency
  }

  public var figure: ReconciledFigure
  /// Currency of amounts, which are in micros; `nil` for counts.
  public var currency: CurrencyCode?
  /// Day, product, storefront or currency that the line is about; `nil` if the sum is not split.
  public var part: String?
  /// Apple's figure; `nil` if every report is absent.
  public var apple: Int128?
  /// The store's figure for the days that have a report; 0 if no day has a report.
  public var ours: Int128 = 0
  public var causes: [DifferenceCause: Int128] = [:]
  public var state: ReconciledRow.State
  /// Part of `rest` that belongs to days whose reports may still change.
  public var uncertain: Int128 = 0
  /// Number of days with a figure of the store but without a report, which the sums exclude.
  public var absentDays = 0

  public var difference: Int128? { apple.map { $0 - ours } }
  public var rest: Int128? { difference.map { $0 - causes.values.reduce(0, +) } }

  /// Unexplained difference (`rest`) of the days whose reports can no longer change.
  public var finalRest: Int128? { rest.map { $0 - uncertain } }

  /// Absolute `finalRest` as a share of Apple's figure, 0 to 1; `nil` if every report is absent.
  public var restShare: Double? {
    guard let apple, let rest = finalRest else { return nil }
    if rest == 0 { return 0 }
    return apple == 0 ? 1 : min(1, Double(rest.magnitude) / Double(apple.magnitude))
  }
}

extension ReconciledLine {
  init(_ figure: ReconciledFigure, _ currency: CurrencyCode?, _ part: String?) {
    (self.figure, self.currency, self.part, state) = (figure, currency, part, .absent)
  }

  mutating func add(_ row: ReconciledRow) {
    apple = (apple ?? 0) + (row.apple ?? 0)
    ours += row.ours
    for (cause, value) in row.causes { causes[cause, default: 0] += value }
    if !row.causes.isEmpty { causes = causes.filter { $0.value != 0 } }
    if row.state == .mayChange { uncertain += row.rest }
    state = state == .mayChange || row.state == .mayChange ? .mayChange : .final
  }
}

extension ReconciledKey {
  /// Returns the key of the `ReconciledLine` that includes this key's row.
  func part(_ split: ReconciledLine.Split?) -> ReconciledKey {
    ReconciledKey(
      figure, split == .day ? Int(number) : 0, product: split == .product ? product : 0,
      storefront: split == .storefront ? storefront : 0, currency: currency)
  }

  func part(_ split: ReconciledLine.Split?, _ names: ReconciledNames) -> String? {
    switch split {
    case .day: day.description
    case .product: names[product] ?? "unknown"
    case .storefront: names[storefront] ?? "unknown"
    case .currency: names[currency] ?? "none"
    case nil: nil
    }
  }
}
