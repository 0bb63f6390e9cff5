/// State of a line at an instant, with its details (METRICS §3, Position). Consecutive instants with equal
/// positions form one `Span`.
public struct Position: Hashable, Sendable {
  public var state: LineState
  /// Index in `Line.rows` of the current row. In state `revoked` it is the refunded row.
  public var row: Int
  /// Reason that the line is out; `nil` in every other state.
  public var reason: LossReason?
  /// `auto_renew_status` of the last renewal info observed by then; `nil` if none had it.
  public var autoRenew: Bool?
  /// Whether the line is in a gap without a snapshot, at most 60 days after the expiry (METRICS §4, courses).
  /// It may then have been in grace or billing retry.
  public var isUnseen = false
}

/// Reason that a line is out, and of the flows `lost` and `trial_lost` (METRICS §5).
public enum LossReason: Hashable, Sendable {
  /// Intent in the last snapshot of the gap.
  case intent(ExpirationIntent)
  /// No snapshot of the gap, or one without an intent.
  case unknown
  /// The state is `revoked`.
  case refunded
}

/// Sets of positions that balances and flows are defined by (METRICS §3, Sets of positions).
public enum PositionSet: String, Hashable, Sendable, CaseIterable {
  /// Before the first purchase.
  case none
  /// State `trial`, or `grace` of a trial's row.
  case trial
  /// State `active` or `grace`, not of a trial's row.
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
