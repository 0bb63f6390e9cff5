import Screen
import Subscriptions

/// Labelled value of a panel, with its trend and the target that Enter opens.
struct Figure: Hashable, Sendable {
  var label: String
  var value: StyledText
  /// Whether it is a part of the figure above, which is indented by two columns.
  var isPart: Bool
  var drillDown: DrillDown?
  var timeSeries: TimeSeries?

  init(_ label: String, _ value: StyledText, isPart: Bool = false, opens figure: String? = nil) {
    self.label = label
    self.value = value
    self.isPart = isPart
    drillDown = figure.map { .rows(Breakdown($0)) }
  }
}

extension Figure {
  static func count(
    _ label: String, _ number: Int, _ style: Style = .strong, opens figure: String? = nil
  ) -> Figure {
    Figure(label, .number(number, style), opens: figure)
  }

  static func part(
    _ label: String, _ number: Int, _ style: Style = .text, opens figure: String? = nil
  ) -> Figure {
    Figure(label, .number(number, style), isPart: true, opens: figure)
  }

  static func share(_ label: String, _ share: Double?, opens figure: String? = nil) -> Figure {
    Figure(label, StyledText(PercentText.of(share), share == nil ? .dim : .strong), opens: figure)
  }

  /// Returns one row for each currency; the first has the label and opens the rows of all currencies.
  ///
  /// If the amounts can be converted, the sum in the reporting currency comes first. It is followed by the
  /// single currencies if they are few, or by their number; a part shows the sum alone.
  ///
  /// - Parameter count: Number of things that the amounts belong to. Without amounts, the figure is "none" if
  ///   `count` is 0, else "unknown".
  static func money(
    _ label: String, _ amounts: Amounts, of count: Int, isPart: Bool = false, opens figure: String? = nil,
    timeSeries: (CurrencyCode?) -> TimeSeries? = { _ in nil }
  ) -> [Figure] {
    let totals = amounts.totals
    guard !totals.isEmpty else {
      return [
        Figure(label, StyledText(count == 0 ? "none" : "unknown", .dim), isPart: isPart, opens: figure)
      ]
    }
    if let converted = MoneyText.converted(amounts) {
      let whole = Figure(label, StyledText(converted, .money), isPart: isPart, opens: figure)
        .following(timeSeries(nil))
      let missing =
        amounts.unconverted == 0 ? [] : [Figure.part("without a rate", amounts.unconverted, .warn)]
      return [whole] + missing + (isPart ? [] : behind(totals, timeSeries))
    }
    return totals.enumerated().map { index, total in
      Figure(
        index == 0 ? label : "", StyledText(MoneyText.of(total), .money), isPart: isPart,
        opens: index == 0 ? figure : nil
      ).following(timeSeries(total.currency))
    }
  }

  /// Rows below an amount in the reporting currency: its single currencies, or how many they are.
  private static func behind(_ totals: [Money], _ timeSeries: (CurrencyCode?) -> TimeSeries?) -> [Figure] {
    guard totals.count <= MoneyText.fewCurrencies else {
      return [
        Figure("", StyledText("in \(CountText.of(totals.count)) currencies", .dim), isPart: true)
      ]
    }
    return totals.map { total in
      Figure("", StyledText(MoneyText.of(total), .money), isPart: true).following(timeSeries(total.currency))
    }
  }

  /// Returns a copy that opens the rows of several figures, given with their counts. The first figure with a
  /// count above 0 opens first.
  func drillDown(_ figures: [(String, Int)]) -> Figure {
    var figure = self
    figure.drillDown = .rows(Breakdown(figures))
    return figure
  }

  func drillDown(_ receipts: ReceiptQuestion) -> Figure {
    var figure = self
    figure.drillDown = .receipts(receipts)
    return figure
  }

  func following(_ timeSeries: TimeSeries?) -> Figure {
    var figure = self
    figure.timeSeries = timeSeries
    return figure
  }
}

/// Bar that Enter can open.
struct FigureBar: Hashable, Sendable {
  var bar: Bar
  var drillDown: DrillDown?
}

/// Part of a whole, drawn as a bar.
struct Share {
  let name: String
  let count: Int
  let style: Style
  let drillDown: DrillDown?

  init(_ name: String, _ count: Int, _ style: Style, drillDown: DrillDown? = nil) {
    self.name = name
    self.count = count
    self.style = style
    self.drillDown = drillDown
  }

  init(_ name: String, _ count: Int, _ style: Style, opens figure: String) {
    self.init(name, count, style, drillDown: .rows(Breakdown(figure)))
  }
}

extension [FigureBar] {
  /// Returns bars with counts and shares of one whole.
  ///
  /// - Parameter whole: The sum of the parts if `nil`; greater if some parts are not shown.
  static func shares(_ parts: [Share], of whole: Int? = nil) -> [FigureBar] {
    let whole = whole ?? parts.reduce(0) { $0 + $1.count }
    let counts = CountText.aligned(parts.map(\.count))
    let shares = parts.map { PercentText.of($0.count, in: whole, unknown: "") }
    let width = shares.map(\.count).max() ?? 0
    return parts.indices.map { index in
      let padding = String(repeating: " ", count: width - shares[index].count)
      return parts[index].bar("\(counts[index])  \(padding)\(shares[index])")
    }
  }

  static func counts(_ parts: [Share]) -> [FigureBar] {
    parts.map { $0.bar(CountText.of($0.count)) }
  }
}

extension Share {
  fileprivate func bar(_ text: String) -> FigureBar {
    FigureBar(
      bar: Bar(label: TextSpan(name, count == 0 ? .dim : .text), value: Double(count), text: text, style),
      drillDown: drillDown)
  }
}

/// Waterfall chart with the target that Enter opens for each step.
struct FigureWaterfall: Hashable, Sendable {
  var chart: Waterfall
  var openings: [DrillDown?]
}
