/// What a sweep has counted. Each receipt that is done is in exactly one of `validated`, `retryLater` and `rejected`.
public struct SweepCounts: Hashable, Sendable {
  /// Receipts taken up.
  public var picked = 0
  /// Receipts whose answer carried data (status 0 or 21006) and was recorded: `unchanged` and `changed` together.
  public var validated = 0
  public var unchanged = 0
  public var changed = 0
  public var newTransactions = 0
  /// Receipts sent on to the other environment, on 21007 or 21008.
  public var rerouted = 0
  /// Receipts left as they were, to be tried again later.
  public var retryLater = 0
  /// Receipts that are not asked about again: not authentic, another app's, or of a deleted account (21010).
  public var rejected = 0
  /// Answers by Apple's `status`, those that rerouted included.
  public var byStatus: [Int: Int] = [:]
  /// Answers by HTTP status.
  public var http: [Int: Int] = [:]
  /// Transfers that brought no answer.
  public var transportErrors = 0

  public init() {}

  /// Receipts that this sweep is through with.
  public var done: Int { validated + retryLater + rejected }
}

/// How far a running sweep is.
public struct SweepProgress: Hashable, Sendable {
  public var started: Instant
  /// Milliseconds since the start, by a clock that nobody sets.
  public var elapsed: Int64
  /// Receipts to be swept in all, as far as the store could tell at the start.
  public var total: Int
  /// Transfers on the wire.
  public var inFlight: Int
  public var counts: SweepCounts

  public init(
    started: Instant, elapsed: Int64 = 0, total: Int = 0, inFlight: Int = 0,
    counts: SweepCounts = SweepCounts()
  ) {
    self.started = started
    self.elapsed = elapsed
    self.total = total
    self.inFlight = inFlight
    self.counts = counts
  }

  /// Receipts done a second since the start.
  public var receiptsPerSecond: Double { elapsed > 0 ? Double(counts.done) * 1000 / Double(elapsed) : 0 }
}
