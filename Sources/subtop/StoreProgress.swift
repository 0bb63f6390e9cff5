import Dashboard
import Subscriptions
import Synchronization

/// Progress of an operation on the whole store, on standard error. Short operations show none.
final class StoreProgress: Sendable {
  private let doing: String
  private let unit: (one: String, several: String)
  private let isTerminal = Standard.isErrorTerminal
  private let state: Mutex<State>

  private struct State {
    var lastNoted: Instant
    var hasNoted = false
  }

  init(
    _ doing: String,
    counting unit: (one: String, several: String) = ("subscription history", "subscription histories")
  ) {
    self.doing = doing
    self.unit = unit
    state = Mutex(State(lastNoted: SystemClock.now))
  }

  var watch: @Sendable (Int, Int) -> Void {
    { [self] done, total in note(done, of: total) }
  }

  private func note(_ done: Int, of total: Int) {
    guard isTime(SystemClock.now) else { return }
    let share = total > 0 ? " (\(done * 100 / total) %)" : ""
    let words = "\(doing): \(CountText.of(done)) of \(CountText.of(total, unit.one, unit.several))\(share)"
    Standard.note(isTerminal ? "\r\u{1B}[2K" + words : words + "\n")
  }

  private func isTime(_ now: Instant) -> Bool {
    state.withLock { state in
      guard now - state.lastNoted >= (isTerminal ? 1 : 10) * Milliseconds.second else { return false }
      state = State(lastNoted: now, hasNoted: true)
      return true
    }
  }

  func end() {
    if isTerminal, state.withLock({ $0.hasNoted }) { Standard.note("\r\u{1B}[2K") }
  }
}
