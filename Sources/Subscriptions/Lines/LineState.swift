/// State of a line at an instant, by the first matching rule of METRICS §3.
public enum LineState: String, Hashable, Sendable, Codable, CaseIterable {
  case trial
  case active
  /// Expired by its dates, but not validated since.
  case overdue
  /// Expired and unpaid, with access until the grace period ends.
  case grace
  /// Expired and unpaid, without access, while Apple tries to bill for up to 60 days.
  case billingRetry = "billing_retry"
  /// Expired and back within 60 days, without a validation in between.
  case unattributed
  case revoked
  case expired

  public var isRunning: Bool { self == .trial || self == .active }
  /// Whether the customer has access (METRICS §3, column *access*).
  public var hasAccess: Bool { isRunning || self == .grace }
  /// Whether the expired period may still be paid for.
  public var mayYetPay: Bool { self == .grace || self == .billingRetry || self == .overdue }
  /// Whether the line is in the set *Out* (METRICS §3).
  public var isOut: Bool { self == .expired || self == .revoked }

  /// Number of the rule in METRICS §3.
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

/// Milliseconds after an expiry during which Apple tries to bill.
public let billingRetryMilliseconds = 60 * Milliseconds.day

/// Milliseconds after an expiry at which a line's state may change without new evidence.
public let stateChangesAfterExpiry = [0, billingRetryMilliseconds]
