import Dispatch
import ReceiptStore
import Subscriptions
import Synchronization

/// Keeps notifications so that they outlast a power cut, all that wait in one commit: each of them waits for the commit that is under
/// way and for its own, however many come.
final class GroupCommit: Sendable {
  enum Outcome: Sendable {
    case kept
    case replayed
    case refused(String)
    /// It was not kept, for a reason in one sentence.
    case failed(String)
    /// Too many wait.
    case full
  }

  private struct Waiting {
    var notification: ReceivedNotification
    var answer: CheckedContinuation<Outcome, Never>
  }

  private struct State {
    var waiting: [Waiting] = []
    var isWriting = false
    /// Those of the commit that is under way.
    var written = 0
  }

  private let store: ReceiptStore
  private let mostWaiting: Int
  private let clock: @Sendable () -> Instant
  private let counts: ListenerCounts
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "subtop.listen.commit")

  /// - Parameter counts: is told how long each commit took.
  init(
    _ store: ReceiptStore, mostWaiting: Int, clock: @escaping @Sendable () -> Instant,
    _ counts: ListenerCounts
  ) {
    (self.store, self.mostWaiting, self.clock, self.counts) = (store, mostWaiting, clock, counts)
  }

  /// Those that have no answer yet.
  var backlog: Int { state.withLock { $0.waiting.count + $0.written } }

  /// Returns once it is kept, or was not.
  func keep(_ notification: ReceivedNotification) async -> Outcome {
    await withCheckedContinuation { answer in
      let (isFull, begins) = state.withLock { state -> (Bool, Bool) in
        guard state.waiting.count < mostWaiting else { return (true, false) }
        state.waiting.append(Waiting(notification: notification, answer: answer))
        defer { state.isWriting = true }
        return (false, !state.isWriting)
      }
      if isFull { answer.resume(returning: .full) }
      if begins { queue.async { self.write() } }
    }
  }

  /// Commits until nobody waits.
  private func write() {
    while true {
      let batch = state.withLock { state -> [Waiting] in
        let batch = state.waiting
        (state.waiting, state.written, state.isWriting) = ([], batch.count, !batch.isEmpty)
        return batch
      }
      guard !batch.isEmpty else { return }
      let outcomes = commit(batch.map(\.notification))
      state.withLock { $0.written = 0 }
      for (waiting, outcome) in zip(batch, outcomes) {
        waiting.answer.resume(returning: outcome)
      }
    }
  }

  private func commit(_ notifications: [ReceivedNotification]) -> [Outcome] {
    let begin = ContinuousClock.now
    var reason = ""
    do throws(StoreError) {
      let outcomes = try store.receive(notifications, at: clock())
      counts.take(commitOf: (ContinuousClock.now - begin) / .seconds(1))
      return outcomes.map { outcome in
        switch outcome {
        case .kept: .kept
        case .replayed: .replayed
        case .refused(let reason): .refused(reason)
        }
      }
    } catch {
      reason = error.description
    }
    // Whatever keeps one from being kept is not to cost the others their place, unless it would take everybody long.
    guard notifications.count > 1, ContinuousClock.now - begin < .seconds(1) else {
      return notifications.map { _ in .failed(reason) }
    }
    return notifications.flatMap { commit([$0]) }
  }
}
