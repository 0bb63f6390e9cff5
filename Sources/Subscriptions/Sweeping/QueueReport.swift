/// What waits to be asked about, when, and what the due policy costs: the sweep panel's standing part.
public struct QueueReport: Hashable, Sendable, Encodable {
  public var asOfMs: Instant
  /// Receipts whose next check has come, those leased to a running sweep included.
  public var due = 0
  /// The due ones by how long they have been.
  public var overdueByAge: [AgeBucket] = []
  /// Receipts whose last try failed.
  public var retrying = 0
  @ExplicitNull public var nextRetryAtMs: Instant?
  /// Receipts that are not asked about again, by the reason kept, the most frequent first.
  public var dead: [DeadReason] = []
  /// Receipts that are asked about rarely, since their answers are too long, by the reason kept.
  public var setAside: [DeadReason] = []
  /// The other receipts whose last try failed, by the reason kept, the most frequent first.
  public var failures: [DeadReason] = []
  /// Receipts that a running sweep has taken up.
  public var leased = 0
  /// Receipts that come due in each of the next 24 hours; those due now are not among them.
  public var next24h: [Int] = []
  /// Receipts that come due after that.
  public var later = 0
  public var policy: [DuePolicy.Cost] = []
  /// How long ago the lines with access were validated; nil where none of them was.
  @ExplicitNull public var freshness: AgeQuantiles?
  /// By type of event, over what the last 28 days brought; events that a first validation told at once are left out.
  public var detectionLag: [DetectionLag] = []
  /// Receipts by the last status that Apple gave for them.
  public var statuses: [StatusTally] = []
  /// The newest first, and at the end the last one that took something up where that is older.
  public var sweeps: [SweepRecord] = []

  public init(asOfMs: Instant) { self.asOfMs = asOfMs }

  public var requestsPerDay: Double { policy.reduce(0) { $0 + $1.requestsPerDay } }
  public var deadCount: Int { dead.reduce(0) { $0 + $1.count } }

  /// Receipts that have been due for at least so long and less than the next bucket's.
  public struct AgeBucket: Hashable, Sendable, Encodable {
    public var fromMs: Int64
    public var count: Int

    public init(fromMs: Int64, count: Int) {
      self.fromMs = fromMs
      self.count = count
    }

    /// Where the buckets begin.
    public static let bounds = [
      0, Milliseconds.hour, 6 * Milliseconds.hour, Milliseconds.day, 7 * Milliseconds.day,
    ]
  }

  public struct DeadReason: Hashable, Sendable, Encodable {
    public var reason: String
    public var count: Int
    public var exampleReceipt: ReceiptID

    public init(reason: String, count: Int, exampleReceipt: ReceiptID) {
      self.reason = reason
      self.count = count
      self.exampleReceipt = exampleReceipt
    }
  }

  /// In milliseconds, of the lines that were validated at all.
  public struct AgeQuantiles: Hashable, Sendable, Encodable {
    public var p50: Int64
    public var p95: Int64
    public var max: Int64
    /// METRICS §4, Freshness: 0 to 1, of all lines with access.
    public var within24h: Double

    public init(p50: Int64, p95: Int64, max: Int64, within24h: Double) {
      self.p50 = p50
      self.p95 = p95
      self.max = max
      self.within24h = within24h
    }

    enum CodingKeys: String, CodingKey {
      case p50, p95, max
      case within24h = "within_24h"
    }
  }

  /// METRICS §5, Detection lag, in milliseconds.
  public struct DetectionLag: Hashable, Sendable, Encodable {
    public var type: String
    public var count: Int
    public var p50: Int64
    public var p95: Int64

    public init(type: String, count: Int, p50: Int64, p95: Int64) {
      self.type = type
      self.count = count
      self.p50 = p50
      self.p95 = p95
    }
  }

  enum CodingKeys: String, CodingKey {
    case asOfMs, due, overdueByAge, retrying, nextRetryAtMs, dead, setAside, failures, leased
    case next24h = "next_24h"
    case later, policy, freshness, detectionLag, statuses, sweeps
  }
}
