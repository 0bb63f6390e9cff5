import Subscriptions

/// What is known of the sweeps that are started here.
public struct SweepState: Sendable {
  public enum Activity: Sendable {
    case idle
    case starting
    case running(SweepProgress)
    case stopping(SweepProgress?)
  }

  public internal(set) var activity = Activity.idle
  public internal(set) var last: SweepSummary?
  /// What the running one, or else the last one, was to take.
  private(set) var selection: SweepSelection?
  /// Why the last one failed; nil once another has begun.
  public internal(set) var failure: String?
  /// Whether somebody wants the running one to pause; it may not have heard of it yet.
  var isPauseWanted = false
  /// What somebody wants swept when the running one is through.
  var next: SweepSelection?
  /// Receipts a second, oldest first: one sample for each half second.
  var rates: [Double] = []
  private var sampled: (elapsed: Int64, done: Int) = (0, 0)
  /// Whether nobody asked for the last one.
  private(set) var isByItself = false
  /// When the last one ended, in uptime.
  var endedAt: Int64 = 0

  /// Samples that are kept: as many as a wide screen has columns for.
  private static let samples = 200
  /// Samples that the newest rate is the mean of.
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

  /// When the running one, or else the last one, began; tells it from those of others in the store.
  var started: Instant? { progress?.started ?? last?.started }

  /// Receipts a second over the last five seconds; nil before the first sample.
  var rate: Double? {
    let newest = rates.suffix(Self.newest)
    return newest.isEmpty ? nil : newest.reduce(0, +) / Double(newest.count)
  }

  /// Milliseconds that it takes at the newest rate; nil where it does not get on.
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
