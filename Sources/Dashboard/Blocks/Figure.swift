import Screen
import Subscriptions

/// One number with its name.
struct Figure: Hashable, Sendable {
  var label: String
  /// The label where there is no room for it.
  var shortLabel: String?
  var value: StyledText
  /// A part of the figure above it, which stands in by two columns.
  var isPart: Bool
  /// Nil where it is not made of rows.
  var opening: Opening?
  /// Nil where it is not followed over time.
  var course: Course?

  init(_ label: String, _ value: StyledText, isPart: Bool = false, opens figure: String? = nil) {
    self.label = label
    self.value = value
    self.isPart = isPart
    opening = figure.map { .rows(Breakdown($0)) }
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

  /// - Parameter share: nil is unknown.
  static func share(_ label: String, _ share: Double?, opens figure: String? = nil) -> Figure {
    Figure(label, StyledText(PercentText.of(share), share == nil ? .dim : .strong), opens: figure)
  }

  /// One row a currency, the label on the first, which opens the rows of every currency. Where all of it can be told in the reporting
  /// currency, that stands first, and the others behind it as far as they are few; of a part it stands alone.
  ///
  /// - Parameter count: how many things the amounts are of: with none there is no amount, and where there are
  ///   some but no amount, nobody knows it.
  static func money(
    _ label: String, _ amounts: Amounts, of count: Int, isPart: Bool = false, opens figure: String? = nil,
    course: (CurrencyCode?) -> Course? = { _ in nil }
  ) -> [Figure] {
    let totals = amounts.totals
    guard !totals.isEmpty else {
      return [
        Figure(label, StyledText(count == 0 ? "none" : "unknown", .dim), isPart: isPart, opens: figure)
      ]
    }
    if let converted = MoneyText.converted(amounts) {
      let whole = Figure(label, StyledText(converted, .money), isPart: isPart, opens: figure)
        .following(course(nil))
      let missing =
        amounts.unconverted == 0 ? [] : [Figure.part("without a rate", amounts.unconverted, .warn)]
      return [whole] + missing + (isPart ? [] : behind(totals, course))
    }
    return totals.enumerated().map { index, total in
      Figure(
        index == 0 ? label : "", StyledText(MoneyText.of(total), .money), isPart: isPart,
        opens: index == 0 ? figure : nil
      ).following(course(total.currency))
    }
  }

  /// What an amount in the reporting currency is made of.
  private static func behind(_ totals: [Money], _ course: (CurrencyCode?) -> Course?) -> [Figure] {
    guard totals.count <= MoneyText.fewCurrencies else {
      return [
        Figure("", StyledText("in \(CountText.of(totals.count)) currencies", .dim), isPart: true)
      ]
    }
    return totals.map { total in
      Figure("", StyledText(MoneyText.of(total), .money), isPart: true).following(course(total.currency))
    }
  }

  /// Of several figures, the one that opens first being the first that counts something.
  func opening(_ figures: [(String, Int)]) -> Figure {
    var figure = self
    figure.opening = .rows(Breakdown(figures))
    return figure
  }

  /// The receipts that it counts.
  func opening(_ receipts: ReceiptQuestion) -> Figure {
    var figure = self
    figure.opening = .receipts(receipts)
    return figure
  }

  func shortened(_ label: String) -> Figure {
    var figure = self
    figure.shortLabel = label
    return figure
  }

  func following(_ course: Course?) -> Figure {
    var figure = self
    figure.course = course
    return figure
  }
}
