import Screen
import Subscriptions

/// Losses by reason, which add up to the total.
struct LostParts {
  private let byIntent: [FigureValues]
  private let refunded: Int

  init(_ figures: FigureValues, refunded: Int) {
    (byIntent, self.refunded) = (figures[parts: "by_intent"], refunded)
  }

  /// - Parameter panel: Panel of the refund figure; `nil` is the current panel.
  func figures(refundedOf panel: Panel?) -> [Figure] {
    func part(_ intent: String?, _ style: Style) -> Figure {
      var entry = FigureValues()
      entry[text: "intent"] = intent
      return self.part(byIntent.first { $0[text: "intent"] == intent } ?? entry, style)
    }
    let others = byIntent.filter { !["1", "2", "3", nil].contains($0[text: "intent"]) && $0["paid"] > 0 }
    var refund = Figure.part("refunded", refunded, .bad)
    refund.opening = .rows(Breakdown("refunded.paid", of: panel))
    return [part("1", .warn), part("2", .bad), part("3", .bad)] + others.map { self.part($0, .text) }
      + [refund, part(nil, .dim)]
  }

  private func part(_ entry: FigureValues, _ style: Style) -> Figure {
    .part(entry.reasonWords, entry["paid"], style, opens: "\(entry.intentPath).paid")
  }
}
