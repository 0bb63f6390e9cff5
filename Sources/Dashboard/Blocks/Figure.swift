import Screen
import Subscriptions

/// One number with its name.
struct Figure: Hashable, Sendable {
  var label: String
  var value: StyledText
  /// A part of the figure above it, which stands in by two columns.
  var isPart: Bool

  init(_ label: String, _ value: StyledText, isPart: Bool = false) {
    self.label = label
    self.value = value
    self.isPart = isPart
  }
}

extension Figure {
  static func count(_ label: String, _ number: Int, _ style: Style = .strong) -> Figure {
    Figure(label, StyledText(CountText.of(number), number == 0 ? .dim : style))
  }

  static func part(_ label: String, _ number: Int, _ style: Style = .text) -> Figure {
    Figure(label, StyledText(CountText.of(number), number == 0 ? .dim : style), isPart: true)
  }

  /// One row a currency, the label on the first.
  ///
  /// - Parameter count: how many things the amounts are of: with none there is no amount, and where there are
  ///   some but no amount, nobody knows it.
  static func money(_ label: String, _ amounts: Amounts, of count: Int, isPart: Bool = false) -> [Figure] {
    let totals = amounts.totals
    guard !totals.isEmpty else {
      return [Figure(label, StyledText(count == 0 ? "none" : "unknown", .dim), isPart: isPart)]
    }
    return totals.enumerated().map { index, total in
      Figure(index == 0 ? label : "", StyledText(MoneyText.of(total), .money), isPart: isPart)
    }
  }
}
