import Screen
import Subscriptions

extension Report {
  /// Returns a chart of figures over the window; `nil` if fewer than two distinct values are known.
  ///
  /// - Parameters:
  ///   - figures: Figures to sum.
  ///   - currency: Currency of the figures, if they are amounts.
  func chart(
    _ title: String, _ figures: [String], _ kind: SeriesChart.Kind, _ style: Style,
    currency: CurrencyCode? = nil,
    in formatter: DisplayFormatter, words: ((Double) -> String)? = nil
  ) -> Block? {
    let series = figures.compactMap { trend.series($0, currency) }
    let values = trend.endsMs.indices.map { place -> Double? in
      let parts = series.map { $0.values[place] }
      return parts.isEmpty || parts.contains(nil)
        ? nil : parts.compactMap { $0.map(Double.init) }.reduce(0, +)
    }
    // The figure itself shows a constant value.
    guard Set(values.compactMap(\.self)).count > 1, let range = SeriesChart.range(of: values, kind) else {
      return nil
    }
    let words =
      words ?? { value in
        currency.map { MoneyText.of(Money(rounding: value, currency: $0)) } ?? CountText.rounding(value)
      }
    let chart = SeriesChart(
      values, kind, style, top: words(range.upperBound), bottom: words(range.lowerBound),
      times: [window.from, window.from + (window.to - window.from) / 2, window.to].map(formatter.date))
    let unknown = values.contains(nil) ? ", as observed" : ""
    return Block(
      StyledText(title + unknown), .chart(chart), span: .tall, minimumColumns: 40)
  }

  /// Returns a chart of an amount in the reporting currency, or else in the currency of most subscriptions,
  /// as in the headline. Amounts of different currencies cannot be ranked.
  func chart(
    _ title: String, amount figure: String, _ kind: SeriesChart.Kind, in formatter: DisplayFormatter
  ) -> Block? {
    if let reportingCurrency, trend.series(figure) != nil {
      return chart(
        "\(title), \(GlyphSet.unicode.about) \(reportingCurrency)", [figure], kind, .money, in: formatter
      ) { MoneyText.of(Money(rounding: $0, currency: reportingCurrency)) }
    }
    let currencies = Set(trend.series.filter { $0.figure == figure }.compactMap(\.currency))
    let known = trend.currenciesByLines.first(where: currencies.contains)
    guard let currency = known ?? currencies.min(by: { $0.rawValue < $1.rawValue }) else { return nil }
    let why =
      currencies.count == 1 ? "" : currency == trend.currenciesByLines.first ? ", as most pay" : " alone"
    return chart("\(title), \(currency)\(why)", [figure], kind, .money, currency: currency, in: formatter)
  }
}
