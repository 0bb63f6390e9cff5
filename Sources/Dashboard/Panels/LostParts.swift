import Screen
import Subscriptions

/// Why subscribers were lost, in parts that come to all of them.
struct LostParts {
  private let byIntent: [ChurnFigures.ByIntent]
  private let refunded: Int

  init(_ byIntent: [ChurnFigures.ByIntent], refunded: Int) {
    (self.byIntent, self.refunded) = (byIntent, refunded)
  }

  /// - Parameter panel: whose figure counts those refunded; nil is the one that they stand on.
  func figures(refundedOf panel: Panel?) -> [Figure] {
    let others = byIntent.filter { !["1", "2", "3", nil].contains($0.intent) && $0.paid > 0 }
    var refund = Figure.part("refunded", refunded, .bad)
    refund.opening = .rows(Breakdown("refunded.paid", of: panel))
    return [
      part("cancelled", "1", .warn), part("billing failed", "2", .bad), part("price not agreed", "3", .bad),
    ] + others.map { Figure.part($0.reasonWords, $0.paid, opens: "\($0.path).paid") } + [
      refund, part("unknown why", nil, .dim),
    ]
  }

  private func part(_ label: String, _ intent: String?, _ style: Style) -> Figure {
    let entry = byIntent.first { $0.intent == intent }
    return .part(label, entry?.paid ?? 0, style, opens: "by_intent.\(intent ?? "unknown").paid")
  }
}

extension ChurnFigures.ByIntent {
  /// Apple's reason for people; a value that Apple has not documented as such.
  var reasonWords: String {
    switch intent {
    case "1": "cancelled"
    case "2": "billing failed"
    case "3": "price not agreed"
    case "4": "not for sale"
    case "5": "another reason"
    case let intent?: "undocumented reason \(intent)"
    case nil: "unknown why"
    }
  }
}
