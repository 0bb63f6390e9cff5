/// Detects whether answers slow down under load, by comparing the median of each window of answers with the
/// best median so far.
///
/// It uses the median because one answer that hangs is no evidence about the others.
struct LatencyTrend: Sendable {
  /// Ratio to the best median above which a window is slower.
  static let factor = 1.5
  /// Microseconds of increase that are ignored. On a fast connection a doubled latency is noise.
  static let tolerance = 100_000.0
  /// Ratio to the slow median that must be reached after sending less. Otherwise the load is not the cause.
  static let relief = 0.9
  static let fewest = 4

  /// Best median, in microseconds.
  private var best: Double?
  /// Median of the last window that was judged slower.
  private var worst: Double?
  private var answers: [Int64] = []
  private var needed = 0

  /// Returns whether to send fewer requests.
  ///
  /// - Parameter window: number of answers that are judged together.
  mutating func isRising(with latency: Int64, window: Int) -> Bool {
    if answers.isEmpty { needed = max(window, Self.fewest) }
    answers.append(max(latency, 0))
    guard answers.count >= needed else { return false }
    let median = Double(answers.sorted()[(answers.count - 1) / 2])
    restart()
    return judge(median)
  }

  mutating func restart() { answers.removeAll(keepingCapacity: true) }

  private mutating func judge(_ median: Double) -> Bool {
    let best = min(self.best ?? median, median)
    self.best = best
    guard median > max(best * Self.factor, best + Self.tolerance) else {
      worst = nil
      return false
    }
    guard let worst, median > worst * Self.relief else {
      worst = median
      return true
    }
    self.best = median
    self.worst = nil
    return false
  }
}
