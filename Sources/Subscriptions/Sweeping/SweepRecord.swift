/// Number of a sweep in the store.
public struct SweepID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public var description: String { String(rawValue) }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Record of a sweep in the store, as `sweeps --format json` lists it.
@dynamicMemberLookup public struct SweepRecord: Hashable, Sendable, Encodable {
  public enum State: String, Hashable, Sendable, Encodable {
    case running
    case finished
    /// The process ended before the sweep did.
    case killed
    /// The sweep's leases expired, so other sweeps may take its receipts; its process may still run.
    case lost
  }

  public static let killed = "killed"

  public var id: SweepID
  public var state: State
  public var startedAtMs: Instant
  public var lastSeenAtMs: Instant
  public var finishedAtMs: Instant?
  /// Selected receipts, as text (`SweepSelection.description`).
  public var selection: String
  /// `dashboard`, `command line` or `demo`; empty if unknown.
  public var startedBy: String
  public var counts = SweepCounts()
  /// libcurl's message for the last request without an answer.
  public var lastTransportError: String?
  public var latencyMs: LatencyQuantiles?
  public var statuses: [StatusTally] = []
  /// Raw value of `SweepStop`, `failed` if an error ended the sweep, or `killed`; otherwise `nil`.
  public var stopped: String?
  public var stoppedApps: [StoppedApp] = []
  public var notBeforeMs: Instant?
  public var failure: String?

  public init(id: SweepID, state: State, startedAtMs: Instant, selection: String, startedBy: String) {
    (self.id, self.state, self.startedAtMs, lastSeenAtMs) = (id, state, startedAtMs, startedAtMs)
    (self.selection, self.startedBy) = (selection, startedBy)
  }

  public subscript<Value>(dynamicMember path: WritableKeyPath<SweepCounts, Value>) -> Value {
    get { counts[keyPath: path] }
    set { counts[keyPath: path] = newValue }
  }

  public func encode(to encoder: any Encoder) throws {
    try counts.encode(to: encoder)
    try encoder.encode([
      "id": id, "state": state, "startedAtMs": startedAtMs, "lastSeenAtMs": lastSeenAtMs,
      "finishedAtMs": finishedAtMs, "notBeforeMs": notBeforeMs, "selection": selection,
      "startedBy": startedBy, "lastTransportError": lastTransportError, "stopped": stopped,
      "failure": failure, "latencyMs": latencyMs, "statuses": statuses, "stoppedApps": stoppedApps,
    ])
  }
}

/// Receipts that a sweep processes.
public enum SweepSelection: Hashable, Sendable, CustomStringConvertible {
  case due
  /// All receipts, except dead ones.
  case all
  /// Receipts that are never due again, to retry them.
  case dead
  case user(AppUserID)
  case receipt(ReceiptID)
  case chain(OriginalTransactionID)
  case listed(ListedReceipts)

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

/// Receipts chosen from a list, with a description of the list.
public struct ListedReceipts: Hashable, Sendable {
  public let ids: [ReceiptID]
  /// Description of the list, such as `billing-retry is_retrying /product:gold`.
  public let name: String

  public init(_ ids: some Sequence<ReceiptID>, of name: String) {
    self.ids = Set(ids).sorted()
    self.name = name
  }
}
