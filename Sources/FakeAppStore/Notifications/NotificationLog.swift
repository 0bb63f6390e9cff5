import Subscriptions
import Synchronization

/// What became of the notifications that were posted.
final class NotificationLog: Sendable {
  private struct State {
    var attempts: [String: [NotificationAttempt]] = [:]
    var count = 0
    var successes = 0
  }

  /// From when on notifications are posted; before it the past is made up.
  let since: Instant
  private let state = Mutex(State())

  init(since: Instant) { self.since = since }

  /// Gives all attempts so far.
  func add(_ attempt: NotificationAttempt, of uuid: String) -> [NotificationAttempt] {
    state.withLock { state in
      state.count += 1
      if attempt.result == .success { state.successes += 1 }
      state.attempts[uuid, default: []].append(attempt)
      return state.attempts[uuid] ?? []
    }
  }

  func attempts(of uuid: String) -> [NotificationAttempt] { state.withLock { $0.attempts[uuid] ?? [] } }

  /// Of all attempts, how many there were and how many succeeded.
  var counts: (attempts: Int, successes: Int) { state.withLock { ($0.count, $0.successes) } }
}
