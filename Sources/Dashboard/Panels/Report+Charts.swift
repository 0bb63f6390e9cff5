import Screen
import Subscriptions

extension Report {
  /// How a figure moved along the window, for a room with rows to spare; nil where too little is known to draw.
  ///
  /// - Parameters:
  ///   - figures: added up where they are several.
  ///   - currency: where the figure is an amount in it.
  func chart(
    _ title: String, _ figures: [String], _ kind: SeriesChart.Kind, _ style: Style,
    currency: CurrencyCode? = nil,
    in wording: Wording, words: ((Double) -> String)? = nil
  ) -> Block? {
    let series = figures.compactMap { trend.series($0, currency) }
    let values = trend.endsMs.indices.map { place -> Double? in
      let parts = series.map { $0.values[place] }
      return parts.isEmpty || parts.contains(nil)
        ? nil : parts.compactMap { $0.map(Double.init) }.reduce(0, +)
    }
    // One value again and again is told by the figure itself.
    guard Set(values.compactMap(\.self)).count > 1, let range = SeriesChart.range(of: values, kind) else {
      return nil
    }
    let words =
      words ?? { value in
        currency.map { MoneyText.of(Money(rounding: value, currency: $0)) } ?? CountText.rounding(value)
      }
    let chart = SeriesChart(
      values, kind, style, top: words(range.upperBound), bottom: words(range.lowerBound),
      times: [window.from, window.from + (window.to - window.from) / 2, window.to].map(wording.date))
    let unknown = values.contains(nil) ? ", as observed" : ""
    return Block(
      StyledText(title + unknown), .chart(chart), span: .tall, minimumColumns: 40)
  }

  /// A chart of an amount in the reporting currency, or in the one that the headline is in: in which most subscriptions are paid. Amounts do not
  /// say which is the largest.
  func chart(
    _ title: String, amount figure: String, _ kind: SeriesChart.Kind, in wording: Wording
  ) -> Block? {
    if let reportingCurrency, trend.series(figure) != nil {
      return chart(
        "\(title), \(GlyphSet.unicode.about) \(reportingCurrency)", [figure], kind, .money, in: wording
      ) { MoneyText.of(Money(rounding: $0, currency: reportingCurrency)) }
    }
    let currencies = Set(trend.series.filter { $0.figure == figure }.compactMap(\.currency))
    let known = trend.currenciesByLines.first(where: currencies.contains)
    guard let currency = known ?? currencies.min(by: { $0.rawValue < $1.rawValue }) else { return nil }
    let why =
      currencies.count == 1 ? "" : currency == trend.currenciesByLines.first ? ", as most pay" : " alone"
    return chart("\(title), \(currency)\(why)", [figure], kind, .money, currency: currency, in: wording)
  }
}
