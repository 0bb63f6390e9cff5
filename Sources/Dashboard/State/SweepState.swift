import Subscriptions

/// State of the sweeps that this dashboard starts.
public struct SweepState: Sendable {
  public enum Activity: Sendable {
    case idle
    case starting
    case running(SweepProgress)
    case stopping(SweepProgress?)
  }

  public internal(set) var activity = Activity.idle
  public internal(set) var last: SweepSummary?
  private(set) var selection: SweepSelection?
  /// Reason why the last sweep failed; `nil` after the next has begun.
  public internal(set) var failure: String?
  /// Whether the user has paused the sweep, which may not have reacted yet.
  var isPauseWanted = false
  var next: SweepSelection?
  /// Receipts per second, oldest first, one sample per half second.
  var rates: [Double] = []
  private var sampled: (elapsed: Int64, done: Int) = (0, 0)
  /// Whether the last sweep started by itself.
  private(set) var isByItself = false
  /// End of the last sweep, in uptime.
  var endedAt: Int64 = 0

  /// Number of samples kept, enough for a wide screen.
  private static let samples = 200
  private static let newest = 10

  public var isActive: Bool {
    if case .idle = activity { false } else { true }
  }

  var isStopping: Bool {
    if case .stopping = activity { true } else { false }
  }

  public var progress: SweepProgress? {
    switch activity {
    case .running(let progress): progress
    case .stopping(let progress): progress
    case .idle, .starting: nil
    }
  }

  /// Start of the running or the last sweep. Distinguishes it from sweeps of other processes.
  var started: Instant? { progress?.started ?? last?.started }

  /// Receipts per second over the last five seconds; `nil` before the first sample.
  var rate: Double? {
    let newest = rates.suffix(Self.newest)
    return newest.isEmpty ? nil : newest.reduce(0, +) / Double(newest.count)
  }

  /// Milliseconds left at the current rate; `nil` if there is no progress.
  var timeLeft: Int64? {
    guard let progress, let rate, rate > 0 else { return nil }
    return Int64(clamping: Int128(min(1e15, Double(progress.left) / rate * 1000)))
  }

  mutating func begin(_ selection: SweepSelection?, byItself: Bool = false) {
    activity = .starting
    self.selection = selection
    isByItself = byItself
    isPauseWanted = false
    failure = nil
    rates = []
    sampled = (0, 0)
  }

  mutating func advance(to progress: SweepProgress) {
    activity = isStopping ? .stopping(progress) : .running(progress)
    let passed = progress.elapsed - sampled.elapsed
    guard passed >= 500 else { return }
    rates.append(Double(progress.counts.done - sampled.done) * 1000 / Double(passed))
    rates = rates.suffix(Self.samples)
    sampled = (progress.elapsed, progress.counts.done)
  }

  mutating func end(at uptime: Int64) {
    activity = .idle
    isPauseWanted = false
    endedAt = uptime
  }
}
