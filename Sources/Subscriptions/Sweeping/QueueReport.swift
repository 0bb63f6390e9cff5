/// Report about the queue of due receipts, with the cost of the due policy.
public struct QueueReport: Hashable, Sendable, Encodable {
  public var asOfMs: Instant
  /// Receipts due now, including those leased to a running sweep.
  public var due = 0
  public var overdueByAge: [AgeBucket] = []
  public var retrying = 0
  @ExplicitNull public var nextRetryAtMs: Instant?
  /// Receipts that are never due again, by reason, the most frequent first.
  public var dead: [DeadReason] = []
  /// Receipts that are checked rarely because their answers are too long, by reason.
  public var setAside: [DeadReason] = []
  /// Other receipts whose last try failed, by reason, the most frequent first.
  public var failures: [DeadReason] = []
  public var leased = 0
  /// Receipts due in each of the next 24 hours, excluding receipts due now.
  public var next24h: [Int] = []
  public var later = 0
  public var policy: [DuePolicy.Cost] = []
  /// Quantiles of the time since the last validation, for lines with access; `nil` if none was validated.
  @ExplicitNull public var freshness: AgeQuantiles?
  /// Detection lag in the last 28 days by type, of exactly dated events after a chain's first validation.
  public var detectionLag: [DetectionLag] = []
  public var statuses: [StatusTally] = []
  /// Latest sweeps, newest first; the last finished sweep with receipts is appended if it is older.
  public var sweeps: [SweepRecord] = []

  public init(asOfMs: Instant) { self.asOfMs = asOfMs }

  public var requestsPerDay: Double { policy.reduce(0) { $0 + $1.requestsPerDay } }
  public var deadCount: Int { dead.reduce(0) { $0 + $1.count } }

  /// Number of receipts that have been due for at least `fromMs`, and less than the next bucket's `fromMs`.
  public struct AgeBucket: Hashable, Sendable, Encodable {
    public var fromMs: Int64
    public var count: Int

    public init(fromMs: Int64, count: Int) { (self.fromMs, self.count) = (fromMs, count) }

    public static let bounds = [
      0, Milliseconds.hour, 6 * Milliseconds.hour, Milliseconds.day, 7 * Milliseconds.day,
    ]
  }

  /// Number of receipts with the same reason, and an example.
  public struct DeadReason: Hashable, Sendable, Encodable {
    public var reason: String
    public var count: Int
    public var exampleReceipt: ReceiptID

    public init(reason: String, count: Int, exampleReceipt: ReceiptID) {
      (self.reason, self.count, self.exampleReceipt) = (reason, count, exampleReceipt)
    }
  }

  /// Quantiles of milliseconds since the last validation, without lines that were never validated.
  public struct AgeQuantiles: Hashable, Sendable, Encodable {
    public var p50: Int64
    public var p95: Int64
    public var max: Int64
    /// Share of all lines with access, 0 to 1 (METRICS §4, Freshness).
    public var within24h: Double

    public init(p50: Int64, p95: Int64, max: Int64, within24h: Double) {
      (self.p50, self.p95, self.max, self.within24h) = (p50, p95, max, within24h)
    }

    enum CodingKeys: String, CodingKey {
      case p50, p95, max
      case within24h = "within_24h"
    }
  }

  /// Detection lag of one event type in milliseconds (METRICS §5, Detection lag).
  public struct DetectionLag: Hashable, Sendable, Encodable {
    public var type: String
    public var count: Int
    public var p50: Int64
    public var p95: Int64

    public init(type: String, count: Int, p50: Int64, p95: Int64) {
      (self.type, self.count, self.p50, self.p95) = (type, count, p50, p95)
    }
  }

  enum CodingKeys: String, CodingKey {
    case asOfMs, due, overdueByAge, retrying, nextRetryAtMs, dead, setAside, failures, leased
    case next24h = "next_24h"
    case later, policy, freshness, detectionLag, statuses, sweeps
  }
}

/// Query for receipts that the sweeps panel counts.
public enum ReceiptQuestion: Hashable, Sendable {
  /// Receipts that have been due for at least `from` and less than `until` milliseconds.
  case due(from: Int64 = 0, until: Int64? = nil)
  /// Receipts that become due within the next 24 hours.
  case dueSoon
  case dueLater
  /// Receipts whose last try failed: all if `nil`, otherwise those with this reason that are not set aside.
  case failed(String?)
  /// Receipts that are checked rarely because their answers are too long, with this recorded reason.
  case setAside(String)
  /// Receipts that are never due again, with this recorded reason; all if `nil`.
  case dead(String?)
  case inProgress
  /// Receipts with this last status, last checked at or after `since`; `nil` matches any time.
  case status(Int, since: Instant? = nil)
  /// Receipts that a sweep changed, postponed or rejected, as far as the store still lists them.
  case ofSweep(SweepID)
}

/// Outcome of a receipt in a sweep.
public enum SweptReceipt: String, Hashable, Sendable, CaseIterable {
  case changed
  case later
  case rejected
}

/// Row of a list of receipts.
public struct ReceiptLine: Hashable, Sendable {
  public var id: ReceiptID
  public var appUserID: AppUserID?
  /// First stored chain of the receipt.
  public var chain: OriginalTransactionID?
  public var otherChains = 0
  /// Id that is sent to the Server API.
  public var customer: CustomerID?
  /// Product of the newest purchase in `chain`, preferably of a subscription.
  public var product: ProductID?
  public var lastCheckedAt: Instant?
  public var lastStatus: Int?
  public var why: String?
  /// Next check; `nil` if the receipt is never due.
  public var nextDue: Instant?
  public var swept: SweptReceipt?

  public init(id: ReceiptID) { self.id = id }
}

/// Receipts that a query matches, up to its limit.
public struct ReceiptLines: Hashable, Sendable {
  public var question: ReceiptQuestion
  public var rows: [ReceiptLine]
  /// Number of all matching receipts, including any that `rows` leaves out.
  public var count: Int

  public init(_ question: ReceiptQuestion, _ rows: [ReceiptLine], count: Int) {
    (self.question, self.rows, self.count) = (question, rows, count)
  }
}
