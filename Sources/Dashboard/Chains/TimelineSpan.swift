import Subscriptions

extension TimelineChart.Span {
  /// Creates the span of a position; `nil` if the position is drawn as a gap.
  init?(_ position: PositionEntry, of row: TransactionEntry, now: Instant) {
    let end = position.untilMs ?? .distantFuture
    let (kind, until): (TimelineChart.Kind, Instant) =
      switch position.state {
      case .trial, .active:
        (row.kind == "trial" ? .trial : row.kind == "standard" ? .paid : .offer, end)
      case .grace: (.grace, end)
      case .billingRetry: (.retry, min(end, now))
      case .overdue, .unattributed: (.unknown, min(end, now))
      // Part of the period that the refund cut off.
      case .revoked: (.refunded, min(end, row.expiresMs ?? end))
      case .expired: (.unknown, position.fromMs)
      }
    guard until > position.fromMs else { return nil }
    self.init(kind, from: position.fromMs, until: until)
  }
}

extension TransactionEntry {
  var upgradeMark: TimelineChart.Span? {
    upgradedAtMs.map { TimelineChart.Span(.upgraded, from: $0, until: $0) }
  }
}
