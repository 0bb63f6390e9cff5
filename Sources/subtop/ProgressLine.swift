import Screen
import Subscriptions

/// Progress line on standard error, redrawn in place on a terminal.
struct ProgressLine: Sendable {
  let isTerminal = Standard.isErrorTerminal
  private let isUnicode = Standard.glyphs == .unicode
  private static let room = 20

  /// - Parameter share: Completed share of the work, 0 to 1; `nil` shows no bar.
  func show(_ words: String, share: Double?) {
    let text = share.map { "[\(bar($0))] " } ?? ""
    Standard.note("\r\u{1B}[2K" + String((text + words).prefix(max(Standard.errorColumns - 1, 20))))
  }

  func clear() {
    if isTerminal { Standard.note("\r\u{1B}[2K") }
  }

  private func bar(_ share: Double) -> String {
    let full = min(max(Int(share * Double(Self.room)), 0), Self.room)
    let (ink, paper) = isUnicode ? ("█", "░") : ("#", "-")
    return String(repeating: ink, count: full) + String(repeating: paper, count: Self.room - full)
  }
}

/// Rate per second over the last five seconds, which predicts better than the mean since the start.
struct RecentRate: Sendable {
  private var samples: [(elapsed: Int64, done: Int)] = [(0, 0)]
  private static let span = 5 * Milliseconds.second

  /// - Parameter elapsed: Milliseconds since the start.
  mutating func take(_ done: Int, at elapsed: Int64) -> Double {
    samples.append((elapsed, done))
    while samples.count > 2, elapsed - samples[1].elapsed > Self.span { samples.removeFirst() }
    let passed = elapsed - samples[0].elapsed
    return passed > 0 ? Double(done - samples[0].done) * 1000 / Double(passed) : 0
  }
}
