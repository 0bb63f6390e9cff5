/// Number of a sweep in the store.
public struct SweepID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public var description: String { String(rawValue) }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Sweep as the store keeps it. Encoded, it is an element of `sweeps --format json`.
public struct SweepRecord: Hashable, Sendable, Encodable {
  public enum State: String, Hashable, Sendable, Encodable {
    case running
    case finished
    /// Its process ended before the sweep did.
    case killed
    /// Not seen for longer than its leases last, although its process is not known to have ended.
    case lost
  }

  public static let killed = "killed"

  public var id: SweepID
  public var state: State
  public var startedAtMs: Instant
  public var lastSeenAtMs: Instant
  @ExplicitNull public var finishedAtMs: Instant?
  /// `SweepSelection.description`.
  public var selection: String
  /// `dashboard`, `command line` or `demo`; empty for older sweeps.
  public var startedBy: String
  public var picked: Int
  public var validated: Int
  public var unchanged: Int
  public var changed: Int
  public var newTransactions: Int
  public var renewals: Int
  public var refunds: Int
  public var stateChanges: Int
  public var rerouted: Int
  public var retried: Int
  public var retryLater: Int
  public var rejected: Int
  public var givenBack: Int
  public var transportErrors: Int
  public var http: [Int: Int]
  /// libcurl's message for the last request without an answer.
  @ExplicitNull public var lastTransportError: String?
  @ExplicitNull public var latencyMs: LatencyQuantiles?
  public var statuses: [StatusTally]
  /// `SweepSummary.Stop`, `failed` after an error in the store or the configuration, or `killed`.
  @ExplicitNull public var stopped: String?
  public var stoppedApps: [StoppedApp]
  /// End of the delay that the App Store asked for.
  @ExplicitNull public var notBeforeMs: Instant?
  @ExplicitNull public var failure: String?

  public init(id: SweepID, state: State, startedAtMs: Instant, selection: String, startedBy: String) {
    self.id = id
    self.state = state
    self.startedAtMs = startedAtMs
    lastSeenAtMs = startedAtMs
    self.selection = selection
    self.startedBy = startedBy
    (picked, validated, unchanged, changed) = (0, 0, 0, 0)
    (newTransactions, renewals, refunds, stateChanges) = (0, 0, 0, 0)
    (rerouted, retried, retryLater, rejected, givenBack, transportErrors) = (0, 0, 0, 0, 0, 0)
    (http, statuses, stoppedApps) = ([:], [], [])
    lastTransportError = nil
    finishedAtMs = nil
    latencyMs = nil
    stopped = nil
    failure = nil
    notBeforeMs = nil
  }

  enum CodingKeys: String, CodingKey {
    case id, state, startedAtMs, lastSeenAtMs, finishedAtMs, selection, startedBy, picked, validated,
      unchanged
    case changed, newTransactions, renewals, refunds, stateChanges, rerouted, retried, retryLater, rejected
    case givenBack, transportErrors, http, lastTransportError, latencyMs, statuses, stopped, stoppedApps
    case notBeforeMs, failure
  }
}

/// Receipts that a sweep processes.
public enum SweepSelection: Hashable, Sendable {
  case due
  /// All receipts that have not been given up.
  case all
  /// Receipts that are never due again, for another try.
  case dead
  case user(AppUserID)
  case receipt(ReceiptID)
  case chain(OriginalTransactionID)
  /// Receipts chosen from a list.
  case listed(ListedReceipts)
}

/// Receipts chosen from a list, with a description of the list.
public struct ListedReceipts: Hashable, Sendable {
  public let ids: [ReceiptID]
  /// Description of the list: `billing-retry is_retrying /product:gold`.
  public let name: String

  public init(_ ids: some Sequence<ReceiptID>, of name: String) {
    self.ids = Set(ids).sorted()
    self.name = name
  }
}

extension SweepSelection: CustomStringConvertible {
  /// Text stored with the sweep.
  public var description: String {
    switch self {
    case .due: "due"
    case .all: "all"
    case .dead: "dead"
    case .user(let user): "user \(user)"
    case .receipt(let id): "receipt \(id.rawValue)"
    case .chain(let id): "chain \(id)"
    case .listed(let receipts): "\(receipts.ids.count) of \(receipts.name)"
    }
  }
}
