import Screen
import Subscriptions

/// Losses by reason, which add up to the total.
struct LostParts {
  private let byIntent: [ChurnFigures.ByIntent]
  private let refunded: Int

  init(_ byIntent: [ChurnFigures.ByIntent], refunded: Int) {
    (self.byIntent, self.refunded) = (byIntent, refunded)
  }

  /// - Parameter panel: Panel of the refund figure; `nil` is the current panel.
  func figures(refundedOf panel: Panel?) -> [Figure] {
    let others = byIntent.filter { !["1", "2", "3", nil].contains($0.intent) && $0.paid > 0 }
    var refund = Figure.part("refunded", refunded, .bad)
    refund.opening = .rows(Breakdown("refunded.paid", of: panel))
    return [
      part("1", .warn), part("2", .bad), part("3", .bad),
    ] + others.map { Figure.part($0.reasonWords, $0.paid, opens: "\($0.path).paid") } + [
      refund, part(nil, .dim),
    ]
  }

  private func part(_ intent: String?, _ style: Style) -> Figure {
    let entry = byIntent.first { $0.intent == intent }
    return .part(
      intent.reasonWords, entry?.paid ?? 0, style, opens: "by_intent.\(intent ?? "unknown").paid")
  }
}

extension ChurnFigures.ByIntent {
  var reasonWords: String { intent.reasonWords }
}

extension String? {
  fileprivate var reasonWords: String { map { ExpirationIntent($0).words } ?? LossKind.unknown.words }
}
