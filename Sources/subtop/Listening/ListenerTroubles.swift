import Listening
import Logging
import Subscriptions
import Synchronization

/// What goes wrong with notifications: all of it is logged, and what could not be kept is told to whoever sits there too.
final class ListenerTroubles: Sendable {
  typealias Complain = @Sendable (String) -> Void

  private struct State {
    /// What was complained of last, and when: a full disk has every notification fail.
    var last: (reason: String, at: Instant)?
    var complain: Complain?
  }

  private let state = Mutex(State())

  /// Has sentences told to a person from now on, the same one once a minute.
  func tell(_ complain: @escaping Complain) { state.withLock { $0.complain = complain } }

  func report(_ trouble: ListenerTrouble) {
    switch trouble {
    case .refused(let reason): Logger.subtop.warning("refused a notification: \(reason)")
    case .failed(let reason):
      complain(of: reason, "could not keep a notification", ", which Apple is asked to send again")
    case .postponed(let reason):
      complain(of: reason, "could not take what was received", "; it is kept, and tried again")
    }
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
