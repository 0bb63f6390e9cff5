/// Names one sweep in a store.
public struct SweepID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public var description: String { String(rawValue) }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A sweep as the store keeps it; encoded, one element of `sweeps --format json`.
public struct SweepRecord: Hashable, Sendable, Encodable {
  public enum State: String, Hashable, Sendable, Encodable {
    case running
    case finished
    /// Its process ended before it did.
    case killed
    /// It gave no sign of life for longer than its receipts were its own; whether its process is there cannot be seen, or it
    /// is and does something else.
    case lost
  }

  /// As `stopped` has it.
  public static let killed = "killed"

  public var id: SweepID
  public var state: State
  public var startedAtMs: Instant
  /// When it last gave a sign of life.
  public var lastSeenAtMs: Instant
  @ExplicitNull public var finishedAtMs: Instant?
  /// As `SweepSelection` describes itself.
  public var selection: String
  /// Who started it: `dashboard`, `command line` or `demo`; empty for sweeps older than the note.
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
  /// Answers by HTTP status.
  public var http: [Int: Int]
  /// What the last request without an answer failed of, in libcurl's words.
  @ExplicitNull public var lastTransportError: String?
  @ExplicitNull public var latencyMs: LatencyQuantiles?
  public var statuses: [StatusTally]
  /// `SweepSummary.Stop`; `failed` where the store or the configuration ended it, `killed` where another sweep took over.
  @ExplicitNull public var stopped: String?
  /// Apps whose receipts were not sent any more.
  public var stoppedApps: [StoppedApp]
  /// Until when the App Store asked it to be left alone.
  @ExplicitNull public var notBeforeMs: Instant?
  /// The sentence of a failure.
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
