/// Where a line stands at an instant: METRICS §3, Position. Two instants with equal positions belong to one `Span`.
public struct Position: Hashable, Sendable {
  public var state: LineState
  /// Place in `Line.rows` of the current row; of the refunded one where the state is `revoked`.
  public var row: Int
  /// Why the line is out; nil in every other state.
  public var reason: LossReason?
  /// `auto_renew_status` of the last renewal info observed by then; nil where none said it.
  public var autoRenew: Bool?
  /// Whether the line stands in a gap, no more than 60 days after the expiry, of which no snapshot is known: METRICS §4, courses.
  /// Whether it was in grace or in billing retry there, nobody can say.
  public var isUnseen: Bool

  public init(
    _ state: LineState, row: Int, reason: LossReason? = nil, autoRenew: Bool? = nil, isUnseen: Bool = false
  ) {
    self.state = state
    self.row = row
    self.reason = reason
    self.autoRenew = autoRenew
    self.isUnseen = isUnseen
  }
}

/// Why a line is out: METRICS §5, the reason of `lost` and `trial_lost`.
public enum LossReason: Hashable, Sendable {
  /// What the last snapshot of the gap said.
  case intent(ExpirationIntent)
  /// No snapshot of the gap, or one without an intent.
  case unknown
  /// The state is `revoked`.
  case refunded
}

/// The sets of positions that balances and flows speak of: METRICS §3, Sets of positions.
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
  /// The set of a position with a current row of the kind.
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
