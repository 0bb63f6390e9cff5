/// State of a line at an instant, with its details; it stays the same during a `Span` (METRICS §3).
public struct Position: Hashable, Sendable {
  public var state: LineState
  /// Index in `Line.rows` of the current row; in state `revoked`, of the refunded row.
  public var row: Int
  /// Reason of the state `expired` or `revoked`; `nil` in every other state.
  public var reason: LossReason?
  /// `auto_renew_status` in the last renewal info observed by the position's instant; `nil` if absent.
  public var autoRenew: Bool?
  /// Whether the line is in a gap without a snapshot, within 60 days of the expiry, so that it may have been
  /// in grace or billing retry (METRICS §4).
  public var isUnseen = false
}

/// Reason that a line is `expired` or `revoked`, which is also the reason of its flow `lost` or `trial_lost`.
public enum LossReason: Hashable, Sendable {
  /// Expiration intent in the last snapshot of the gap, or else in a notification.
  case intent(ExpirationIntent)
  /// The gap has no snapshot, no expiration intent is known, or the account is gone (21010).
  case unknown
  /// The state is `revoked`.
  case refunded

  public var intent: ExpirationIntent? { if case .intent(let intent) = self { intent } else { nil } }
}

/// Set of positions in which balances and flows count lines (METRICS §3, Sets of positions).
public enum PositionSet: String, Hashable, Sendable, CaseIterable {
  /// Before the first purchase.
  case none
  /// State `trial`, or `grace` after a trial.
  case trial
  /// State `active`, or `grace` after a paid row.
  case paid
  case retry
  case overdue
  case unattributed
  /// State `expired` or `revoked`.
  case out
}

extension LineState {
  func set(of kind: PeriodKind) -> PositionSet {
    switch self {
    case .trial: .trial
    case .active: .paid
    case .grace: kind.isPaid ? .paid : .trial
    case .billingRetry: .retry
    case .overdue: .overdue
    case .unattributed: .unattributed
    case .expired, .revoked: .out
    }
  }
}
