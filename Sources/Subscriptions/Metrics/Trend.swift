/// How a panel's figures moved: along the window, in whole hours or days of it, and against the window before.
///
/// A balance is known at the end of each stretch and at the end of the last hour before the window, a figure of what happened for
/// each stretch and for the whole window before. Both are by all that is known today. Grace and billing retry of the past are unknown
/// where a line stood in a gap that no snapshot saw: METRICS §4. Where no line had begun by the window's start, there is nothing to
/// compare with.
public struct Trend: Hashable, Sendable, Encodable {
  /// One figure, or its amount in one currency.
  public struct Series: Hashable, Sendable, Encodable {
    /// Its path in the panel's JSON.
    public var figure: String
    /// Of an amount, which is in micros; nil is all of it in the reporting currency, or a number of rows.
    @ExplicitNull public var currency: CurrencyCode?
    /// At the window's start, or in the window before; nil is unknown.
    @ExplicitNull public var before: Int128?
    /// From the oldest stretch to the newest; nil is unknown.
    public var values: [Int128?]

    public init(figure: String, currency: CurrencyCode? = nil, before: Int128?, values: [Int128?]) {
      self.figure = figure
      self.values = values
      self.currency = currency
      self.before = before
    }
  }

  /// Sorted by figure and currency. What counts nothing anywhere has none.
  public private(set) var series: [Series] = []
  /// The end of each stretch: `Window.stretchEnds`.
  public private(set) var endsMs: [Instant]
  /// The stretches that are not cut short by the window's start or end: what happened in these can be compared.
  public private(set) var wholeStretches: Range<Int>
  /// The churn rate of the window before, where a panel tells one; nil where nobody was there to be lost.
  public var churnRateBefore: Double?
  /// The currencies that paid lines pay in at the window's end, the one of most lines first.
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

  /// - Parameter place: the stretch; nil for what was before.
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

  /// Says that nobody knows what a figure was.
  public mutating func forget(_ figure: String, at place: Int?) {
    let index = index(of: figure, nil)
    if let place { series[index].values[place] = nil } else { series[index].before = nil }
  }

  /// Says it of an amount, in each currency.
  mutating func forgetAmounts(of figure: String, at place: Int?) {
    for index in series.indices where series[index].figure == figure {
      if let place { series[index].values[place] = nil } else { series[index].before = nil }
    }
  }

  /// Says of every figure that nobody knows what it was before.
  mutating func forgetBefore() {
    for index in series.indices { series[index].before = nil }
  }

  /// Without the figures that are so.
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

extension Question {
  /// The same of the window before, asked at its end.
  public var before: Question {
    var question = self
    question.at = window.from
    return question
  }
}
