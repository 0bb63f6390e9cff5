import Subscriptions

/// Whether systemd starts sweeps.
enum TimerFinding {
  private static let timer = "subtop-sweep.timer"
  /// Milliseconds for one question: systemd may be starting or stopping.
  private static let limit = 5 * Milliseconds.second

  /// - Parameter lastSweep: when the last one ended, so that whoever sweeps by other means is not told to use a timer.
  static func of(lastSweep: Instant?, at now: Instant) -> Finding {
    guard succeeds("--version") else {
      return .ok("timer", "systemd is not here; cron or the like is to run `subtop sweep`")
    }
    if succeeds("is-active", "--quiet", timer) { return .ok("timer", "\(timer) is active") }
    if succeeds("--user", "is-active", "--quiet", timer) { return .ok("timer", "your \(timer) is active") }
    if let lastSweep, now - lastSweep <= StoreFindings.longestPause {
      return .ok("timer", "\(timer) is not active, and something else sweeps")
    }
    return .warning(
      "timer", "\(timer) is not active; run `systemctl enable --now \(timer)`, for a user's with --user")
  }

  private static func succeeds(_ arguments: String...) -> Bool {
    QuietProgram(words: ["systemctl"] + arguments, limit: limit).run() == nil
  }
}
