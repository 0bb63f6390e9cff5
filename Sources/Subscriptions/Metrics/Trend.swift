/// Movement of a panel's figures along the window, in whole hours or days, and compared with the window
/// before.
///
/// A balance is known at the end of each stretch and at the end of the last hour before the window. A figure
/// of events is known for each stretch and for the whole window before. Both use everything known today. Past
/// grace and billing retry are unknown if a line was in a gap without a snapshot (METRICS §4). If no line had
/// begun by the window's start, there is no comparison.
public struct Trend: Hashable, Sendable, Encodable {
  /// Values of one figure, or of its amount in one currency.
  public struct Series: Hashable, Sendable, Encodable {
    public var figure: String
    /// Currency of an amount in micros; `nil` for the total in the reporting currency and for numbers of
    /// rows.
    @ExplicitNull public var currency: CurrencyCode?
    /// Value at the window's start or in the window before; `nil` if it is unknown.
    @ExplicitNull public var before: Int128?
    /// Values from the oldest stretch to the newest; `nil` if unknown.
    public var values: [Int128?]

    public init(figure: String, currency: CurrencyCode? = nil, before: Int128?, values: [Int128?]) {
      self.figure = figure
      self.values = values
      self.currency = currency
      self.before = before
    }
  }

  /// Series sorted by figure and currency. Figures that are 0 everywhere have none.
  public private(set) var series: [Series] = []
  public private(set) var endsMs: [Instant]
  /// Stretches that the window's start or end does not cut short. Their values are comparable.
  public private(set) var wholeStretches: Range<Int>
  /// Churn rate of the window before; `nil` if the panel has none or its base was 0.
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

  /// - Parameter place: Index of the stretch; `nil` for the value before the window.
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

  /// Marks a value of a figure as unknown, for an amount in each currency.
  public mutating func forget(_ figure: String, isAmount: Bool = false, at place: Int?) {
    if !isAmount { _ = index(of: figure, nil) }
    for index in series.indices where series[index].figure == figure {
      if let place { series[index].values[place] = nil } else { series[index].before = nil }
    }
  }

  mutating func forgetBefore() {
    for index in series.indices { series[index].before = nil }
  }

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
