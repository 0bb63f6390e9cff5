/// State of a line at an instant, with its details (METRICS §3, Position). Consecutive instants with equal
/// positions form one `Span`.
public struct Position: Hashable, Sendable {
  public var state: LineState
  /// Index in `Line.rows` of the current row. In state `revoked` it is the refunded row.
  public var row: Int
  /// Reason that the line is out; `nil` in every other state.
  public var reason: LossReason?
  /// `auto_renew_status` in the last renewal info observed by then; `nil` if absent.
  public var autoRenew: Bool?
  /// Whether the line is in a gap without a snapshot, within 60 days of the expiry (METRICS §4). The line may
  /// then have been in grace or billing retry.
  public var isUnseen = false
}

/// Reason that a line is out. The flows `lost` and `trial_lost` have the same reason (METRICS §5).
public enum LossReason: Hashable, Sendable {
  /// Expiration intent in the last snapshot of the gap, or else in a notification.
  case intent(ExpirationIntent)
  /// The gap has no snapshot, or no expiration intent is known.
  case unknown
  /// The state is `revoked`.
  case refunded

  public var intent: ExpirationIntent? { if case .intent(let intent) = self { intent } else { nil } }
}

/// Set of positions. Balances and flows count lines by set (METRICS §3, Sets of positions).
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
