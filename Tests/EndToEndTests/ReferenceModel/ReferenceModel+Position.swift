extension ReferenceModel {
  /// Position of a line at an instant (METRICS §3).
  struct Position: Sendable {
    var state: String
    /// Current row x, or the refunded row if the state is `revoked`.
    var row: Period
    var reason: String?
    var accessEnd: Int
    /// Whether the instant is in a gap, within 60 days of its start, without a snapshot.
    var isUnseen = false

    var rule: Int {
      switch state {
      case "trial", "active": 1
      case "revoked": 2
      case "overdue": 3
      case "grace": 4
      case "billing_retry": 5
      case "unattributed": 6
      default: 7
      }
    }

    var set: String {
      switch state {
      case "trial": "trial"
      case "active": "paid"
      case "grace": row.isTrial ? "trial" : "paid"
      case "billing_retry": "retry"
      case "overdue", "unattributed": state
      default: "out"
      }
    }
  }
}

extension ReferenceModel.Line {
  func judged(at moment: Int) -> ReferenceModel.Position? {
    guard let current = current(at: moment) else { return nil }
    let isLive = current.isLive(at: moment)
    let gap = gap(after: current, at: moment)
    let accessEnd = gap.isOfGoneAccount ? gap.start : max(gap.start, gap.graceEnd ?? gap.start)
    var position = ReferenceModel.Position(state: "expired", row: current, accessEnd: accessEnd)
    if isLive && (moment < current.end || isBridged(current, at: moment)) {
      position.state = current.isTrial ? "trial" : "active"
    } else if let refunded = refunded(at: moment), !isLive || refunded.end > current.end {
      (position.state, position.row) = ("revoked", refunded)
      position.accessEnd = refunded.effectiveEnd
    } else {
      (position.state, position.reason) = isLive ? gap.judged(at: moment) : ("expired", gap.reason)
      position.isUnseen = isLive && moment < gap.limit && !gap.isSeen
    }
    return position
  }

  func current(at moment: Int) -> ReferenceModel.Period? {
    periods.filter { $0.isLive(at: moment) }.longest ?? refunded(at: moment)
      ?? periods.filter { $0.row.isUpgraded && $0.isDead(at: moment) }.longest
  }

  private func refunded(at moment: Int) -> ReferenceModel.Period? {
    periods.filter { $0.isRefunded(at: moment) }.longest
  }

  private func isBridged(_ period: ReferenceModel.Period, at moment: Int) -> Bool {
    periods.contains {
      $0.id != period.id && !$0.isDeadFromItsPurchase && $0.row.start > moment
        && $0.row.start >= period.end && $0.row.start <= period.end + ReferenceModel.day
    }
  }

  var turningPoints: [Int] {
    let ofRows = periods.flatMap { period in
      [period.row.start, period.diesAt ?? period.end, period.end, period.end + 60 * ReferenceModel.day]
    }
    return Set(ofRows + snapshots.flatMap(\.elements).compactMap(\.graceEnd) + chain.validations.map(\.at))
      .sorted()
  }
}

extension ReferenceModel.Line.Gap {
  /// State and reason by rules 3 to 7 of METRICS §3.
  fileprivate func judged(at moment: Int) -> (state: String, reason: String?) {
    let isUnsettled = !isAsked || graceEnd != nil || lastRetry != nil
    if isOfGoneAccount && isUnsettled { return ("expired", nil) }
    if !isAsked { return ("overdue", nil) }
    if let graceEnd, graceEnd > moment { return ("grace", nil) }
    if let retryEnd, moment < retryEnd { return ("billing_retry", nil) }
    if let end, end <= limit, validations.isEmpty { return ("unattributed", nil) }
    return ("expired", reason)
  }
}
