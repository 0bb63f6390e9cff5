import Subscriptions

extension TransactionEntry {
  /// The part of the period that was had.
  var usedSpan: TimelineChart.Span? {
    guard let end = effectiveEndMs ?? expiresMs, end >= purchaseMs else { return nil }
    let kind: TimelineChart.Kind =
      switch kind {
      case "trial": .trial
      case "standard": .paid
      default: .offer
      }
    return TimelineChart.Span(kind, from: purchaseMs, until: end)
  }

  /// The part that a refund took away.
  var refundedSpan: TimelineChart.Span? {
    guard refunded, let end = effectiveEndMs, let expiresMs, end < expiresMs else { return nil }
    return TimelineChart.Span(.refunded, from: end, until: expiresMs)
  }

  /// Where another product took over.
  var upgradeMark: TimelineChart.Span? {
    upgradedAtMs.map { TimelineChart.Span(.upgraded, from: $0, until: $0) }
  }
}
