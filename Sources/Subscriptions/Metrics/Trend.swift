/// Values of a panel's figures in each stretch of a window (whole hours or days), for comparison with the
/// previous window.
///
/// A balance has a value at the end of each stretch, and at the end of the last hour before the window. A
/// flow has a value for each stretch and for the previous window. Values use everything known today. Grace
/// and billing retry at a past instant are unknown if a line was in a gap without a snapshot (METRICS §4).
/// There is no comparison if no line had begun by the end of that hour.
public struct Trend: Hashable, Sendable, Encodable {
  public struct Series: Hashable, Sendable, Encodable {
    public var figure: String
    /// Currency of an amount in micros; `nil` for numbers of rows, and for totals in the reporting currency.
    @ExplicitNull public var currency: CurrencyCode?
    /// Value of a balance just before the window, or of a flow in the previous window; `nil` if unknown.
    @ExplicitNull public var before: Int128?
    public var values: [Int128?]

    public init(figure: String, currency: CurrencyCode? = nil, before: Int128?, values: [Int128?]) {
      (self.figure, self.values, self.currency, self.before) = (figure, values, currency, before)
    }
  }

  /// Series sorted by figure and currency, without figures that are 0 throughout.
  public private(set) var series: [Series] = []
  public private(set) var endsMs: [Instant]
  /// Indices of the stretches of full length, whose values are comparable.
  public private(set) var wholeStretches: Range<Int>
  /// Churn rate of the previous window; `nil` if the panel has none, or if the base was 0.
  public var churnRateBefore: Double?
  public var currenciesByLines: [CurrencyCode] = []

  public init(of window: Window) {
    endsMs = window.stretchEnds
    wholeStretches = window.wholeStretches
  }

  private enum CodingKeys: String, CodingKey {
    case series, endsMs
  }

  public func series(_ figure: String, _ currency: CurrencyCode? = nil) -> Series? {
    series.first { $0.figure == figure && $0.currency == currency }
  }

  /// Adds `value` to the stretch with index `place` or, if `nil`, to the value before the window.
  public mutating func add(
    _ value: Int128, to figure: String, _ currency: CurrencyCode? = nil, at place: Int?
  ) {
    let index = index(of: figure, currency)
    guard let place else {
      series[index].before = (series[index].before ?? 0) + value
      return
    }
    series[index].values[place] = (series[index].values[place] ?? 0) + value
  }

  /// Marks a value as unknown, in every currency if the figure is an amount.
  public mutating func forget(_ figure: String, isAmount: Bool = false, at place: Int?) {
    if !isAmount { _ = index(of: figure, nil) }
    for index in series.indices where series[index].figure == figure {
      if let place { series[index].values[place] = nil } else { series[index].before = nil }
    }
  }

  mutating func forgetBefore() { for index in series.indices { series[index].before = nil } }

  func without(_ isLeftOut: (String) -> Bool) -> Trend {
    var trend = self
    trend.series.removeAll { isLeftOut($0.figure) }
    return trend
  }

  private mutating func index(of figure: String, _ currency: CurrencyCode?) -> Int {
    let place = series.indices.placeAfter {
      (series[$0].figure, series[$0].currency?.rawValue ?? "") < (figure, currency?.rawValue ?? "")
    }
    if place < series.count, series[place].figure == figure, series[place].currency == currency {
      return place
    }
    let new = Series(
      figure: figure, currency: currency, before: 0, values: Array(repeating: 0, count: endsMs.count))
    series.insert(new, at: place)
    return place
  }
}
