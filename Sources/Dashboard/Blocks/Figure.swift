import Screen
import Subscriptions

/// Labeled value of a panel, with its trend and the target that Enter opens.
struct Figure: Hashable, Sendable {
  var label: String
  var value: StyledText
  /// Whether the figure is a part of the figure above it and is therefore indented.
  var isPart: Bool
  var drillDown: DrillDown?
  var timeSeries: TimeSeries?

  init(
    _ label: String, _ value: StyledText, isPart: Bool = false, opens figure: String? = nil,
    _ timeSeries: TimeSeries? = nil
  ) {
    (self.label, self.value, self.isPart, self.timeSeries) = (label, value, isPart, timeSeries)
    drillDown = figure.map { .rows(Breakdown($0)) }
  }

  static func count(_ label: String, _ number: Int, _ style: Style = .strong) -> Figure {
    Figure(label, .number(number, style))
  }

  static func part(
    _ label: String, _ number: Int, _ style: Style = .text, opens figure: String? = nil
  ) -> Figure {
    Figure(label, .number(number, style), isPart: true, opens: figure)
  }

  /// Returns amounts as figures; the first one has the label and opens the rows of `figure`.
  ///
  /// If the amounts can be converted, the first figure is their sum in the reporting currency. The next
  /// figure is the number of amounts without an exchange rate, unless it is 0. If `isPart` is false, the
  /// amount in each currency follows or, if there are many currencies, only their number. If the amounts
  /// cannot be converted, there is one figure for each currency.
  ///
  /// - Parameter count: Number of subscriptions or purchases behind the amounts. Without amounts, the value
  ///   is "none" if `count` is 0, else "unknown".
  @FigureBuilder static func money(
    _ label: String, _ amounts: Amounts, of count: Int, isPart: Bool = false, opens figure: String? = nil,
    timeSeries: (CurrencyCode?) -> TimeSeries? = { _ in nil }
  ) -> [Figure] {
    let totals = amounts.totals
    if totals.isEmpty {
      Figure(label, StyledText(count == 0 ? "none" : "unknown", .dim), isPart: isPart, opens: figure)
    } else if let converted = MoneyText.converted(amounts) {
      Figure(label, StyledText(converted, .money), isPart: isPart, opens: figure, timeSeries(nil))
      if amounts.unconverted > 0 { Figure.part("no exchange rate", amounts.unconverted, .warn) }
      if !isPart, totals.count > MoneyText.fewCurrencies {
        Figure("", StyledText("in \(CountText.of(totals.count)) currencies", .dim), isPart: true)
      } else if !isPart {
        for total in totals {
          Figure("", StyledText(MoneyText.of(total), .money), isPart: true, timeSeries(total.currency))
        }
      }
    } else {
      for (place, total) in totals.enumerated() {
        Figure(
          place == 0 ? label : "", StyledText(MoneyText.of(total), .money), isPart: isPart,
          opens: place == 0 ? figure : nil, timeSeries(total.currency))
      }
    }
  }

  func drillDown(_ target: DrillDown) -> Figure { altered(self) { $0.drillDown = target } }

  func drillDown(_ figures: [(String, Int)]) -> Figure { drillDown(.rows(Breakdown(figures))) }

  func drillDown(_ receipts: ReceiptQuestion) -> Figure { drillDown(.receipts(receipts)) }
}

@resultBuilder enum FigureBuilder {
  static func buildExpression(_ figure: Figure) -> [Figure] { [figure] }
  static func buildExpression(_ figures: [Figure]) -> [Figure] { figures }
  static func buildBlock(_ parts: [Figure]...) -> [Figure] { parts.flatMap(\.self) }
  static func buildOptional(_ part: [Figure]?) -> [Figure] { part ?? [] }
  static func buildEither(first part: [Figure]) -> [Figure] { part }
  static func buildEither(second part: [Figure]) -> [Figure] { part }
  static func buildArray(_ parts: [[Figure]]) -> [Figure] { parts.flatMap(\.self) }
}

struct FigureBar: Hashable, Sendable {
  var bar: Bar
  var drillDown: DrillDown?

  init(_ bar: Bar, drillDown: DrillDown? = nil) { (self.bar, self.drillDown) = (bar, drillDown) }

  init(_ name: String, _ count: Int, _ style: Style, text: String? = nil, drillDown: DrillDown? = nil) {
    let label = TextSpan(name, count == 0 ? .dim : .text)
    self.init(
      Bar(label: label, value: Double(count), text: text ?? CountText.of(count), style), drillDown: drillDown)
  }
}

extension [FigureBar] {
  /// Returns the bars, labeled with their counts and their shares of `whole`, by default the sum of the bars.
  func shares(of whole: Int? = nil) -> [FigureBar] {
    let whole = whole ?? Int(reduce(0) { $0 + $1.bar.value })
    let counts = CountText.aligned(map(\.bar.text))
    let shares = CountText.aligned(map { PercentText.of(Int($0.bar.value), in: whole, unknown: "") })
    return indices.map { index in
      var bar = self[index]
      bar.bar.text = "\(counts[index])  \(shares[index])"
      return bar
    }
  }
}
