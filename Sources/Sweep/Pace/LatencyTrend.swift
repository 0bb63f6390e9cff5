/// Whether answers take longer because so many are asked for: the median of each window of answers against the best
/// that was seen.
///
/// A median, because one answer that hangs says nothing of the others.
struct LatencyTrend: Sendable {
  /// How many times as long is longer.
  static let factor = 1.5
  /// Microseconds that do not matter: on a fast line a doubled latency is noise, and no burden to anybody.
  static let tolerance = 100_000.0
  /// What asking less must bring, of the latency before. Otherwise the App Store is slower for a reason of its own.
  static let relief = 0.9
  /// Answers that are judged together at the fewest.
  static let fewest = 4

  /// Microseconds.
  private var best: Double?
  /// The median that the last window was called slower for.
  private var worst: Double?
  private var answers: [Int64] = []
  private var needed = 0

  /// Whether to ask less.
  ///
  /// - Parameter window: answers that are judged together.
  mutating func isRising(with latency: Int64, window: Int) -> Bool {
    if answers.isEmpty { needed = max(window, Self.fewest) }
    answers.append(max(latency, 0))
    guard answers.count >= needed else { return false }
    let median = Double(answers.sorted()[(answers.count - 1) / 2])
    restart()
    return judge(median)
  }

  /// Forgets the answers of a window that is over.
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
