import Subscriptions

/// What is known of sweeps.
public struct SweepState: Sendable {
  public enum Activity: Sendable {
    case idle
    case starting
    case running(SweepProgress)
    case stopping(SweepProgress?)
  }

  public internal(set) var activity = Activity.idle
  public internal(set) var last: SweepSummary?
  /// Why the last one failed; nil once another has begun.
  public internal(set) var failure: String?
  /// Receipts a second, oldest first: one sample for each half second.
  var rates: [Double] = []
  private var sampled: (elapsed: Int64, done: Int) = (0, 0)
  /// Whether nobody asked for the last one.
  private(set) var isByItself = false
  /// When the last one ended, in uptime.
  var endedAt: Int64 = 0

  public var isActive: Bool {
    if case .idle = activity { false } else { true }
  }

  public var progress: SweepProgress? {
    switch activity {
    case .running(let progress): progress
    case .stopping(let progress): progress
    case .idle, .starting: nil
    }
  }

  mutating func begin(byItself: Bool = false) {
    activity = .starting
    isByItself = byItself
    failure = nil
    rates = []
    sampled = (0, 0)
  }

  mutating func advance(to progress: SweepProgress) {
    if case .stopping = activity { activity = .stopping(progress) } else { activity = .running(progress) }
    let passed = progress.elapsed - sampled.elapsed
    guard passed >= 500 else { return }
    rates.append(Double(progress.counts.done - sampled.done) * 1000 / Double(passed))
    rates = rates.suffix(60)
    sampled = (progress.elapsed, progress.counts.done)
  }

  mutating func end(at uptime: Int64) {
    activity = .idle
    endedAt = uptime
  }
}
