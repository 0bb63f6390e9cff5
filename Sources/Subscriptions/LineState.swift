/// The state of a line at an instant: METRICS §3, where the first rule that matches wins.
public enum LineState: String, Hashable, Sendable, Codable, CaseIterable {
  case trial
  case active
  /// Expired by its dates, but not validated since: nobody knows yet.
  case overdue
  /// Expired and unpaid, with access until the grace period ends.
  case grace
  /// Expired and unpaid, without access, while Apple tries to bill for up to 60 days.
  case billingRetry = "billing_retry"
  /// Expired and back within 60 days, without a validation in between: nobody saw how it was meanwhile.
  case unattributed
  case revoked
  case expired

  /// Whether a period of the line runs.
  public var isRunning: Bool { self == .trial || self == .active }
  /// METRICS §3, the column *access*.
  public var hasAccess: Bool { isRunning || self == .grace }
  /// Whether a period that is over may yet be paid for.
  public var mayYetPay: Bool { self == .grace || self == .billingRetry || self == .overdue }
  /// METRICS §3, the set *out*: the line has ended, unless it is bought again.
  public var isOut: Bool { self == .expired || self == .revoked }

  /// The number of its rule in METRICS §3.
  public var rule: Int {
    switch self {
    case .trial, .active: 1
    case .revoked: 2
    case .overdue: 3
    case .grace: 4
    case .billingRetry: 5
    case .unattributed: 6
    case .expired: 7
    }
  }
}

/// How far Apple goes on trying to bill after an expiry.
public let billingRetryMilliseconds = 60 * Milliseconds.day

/// How long after an expiry a line's state may change although nothing else becomes known.
public let stateChangesAfterExpiry = [0, billingRetryMilliseconds]
