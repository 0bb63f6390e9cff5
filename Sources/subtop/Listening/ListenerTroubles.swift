import Listening
import Logging
import Subscriptions
import Synchronization

/// Logs problems with notifications, each kind at most once a minute, since anyone who reaches the port could
/// fill the log. Failures to store a notification are also shown on the terminal.
final class ListenerTroubles: Sendable {
  typealias Complain = @Sendable (String) -> Void

  private struct State {
    /// Last reported problem and its time. On a full disk every notification fails.
    var last: (reason: String, at: Instant)?
    var complain: Complain?
    /// Refusals since the last log line about them, and its time.
    var refused = (count: 0, at: Instant.distantPast)
  }

  private let state = Mutex(State())

  /// Passes problems to `complain` from now on, each at most once a minute.
  func tell(_ complain: @escaping Complain) { state.withLock { $0.complain = complain } }

  func report(_ trouble: ListenerTrouble) {
    switch trouble {
    case .refused(let reason): countRefusal(reason)
    case .failed(let reason):
      complain(of: reason, "could not keep a notification", ", which Apple is asked to send again")
    case .postponed(let reason):
      complain(of: reason, "could not take what was received", "; it is kept, and tried again")
    case .crowded(let most):
      complain(of: "\(most) connections are open, the most that there may be", "new connections wait", "")
    }
  }

  /// Logs the remaining refusals.
  func end() {
    let count = state.withLock { $0.refused.count }
    if count > 0 { Logger.subtop.warning("refused \(count) more notifications") }
  }

  private func countRefusal(_ reason: String) {
    let now = SystemClock.now
    let count = state.withLock { state -> Int? in
      state.refused.count += 1
      guard now - state.refused.at >= Milliseconds.minute else { return nil }
      defer { state.refused = (0, now) }
      return state.refused.count
    }
    guard let count else { return }
    Logger.subtop.warning(
      count == 1 ? "refused a notification: \(reason)" : "refused \(count) notifications, the last: \(reason)"
    )
  }

  private func complain(of reason: String, _ what: String, _ consequence: String) {
    let now = SystemClock.now
    let (isNews, complain) = state.withLock { state -> (Bool, Complain?) in
      if let last = state.last, last.reason == reason, now - last.at < Milliseconds.minute {
        return (false, nil)
      }
      state.last = (reason, now)
      return (true, state.complain)
    }
    guard isNews else { return }
    Logger.subtop.error("\(what): \(reason)")
    complain?("\(what)\(consequence): \(reason)")
  }
}
