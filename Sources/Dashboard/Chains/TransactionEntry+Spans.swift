import Subscriptions

extension TransactionEntry {
  /// The part of the period that was had.
  var usedSpan: Timeline.Span? {
    guard let end = effectiveEndMs ?? expiresMs, end >= purchaseMs else { return nil }
    let kind: Timeline.Kind =
      switch kind {
      case "trial": .trial
      case "standard": .paid
      default: .offer
      }
    return Timeline.Span(kind, from: purchaseMs, until: end)
  }

  /// The part that a refund took away.
  var refundedSpan: Timeline.Span? {
    guard refunded, let end = effectiveEndMs, let expiresMs, end < expiresMs else { return nil }
    return Timeline.Span(.refunded, from: end, until: expiresMs)
  }

  /// Where another product took over.
  var upgradeMark: Timeline.Span? {
    upgradedAtMs.map { Timeline.Span(.upgraded, from: $0, until: $0) }
  }
}
