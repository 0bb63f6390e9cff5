import Dispatch
import ReceiptStore
import Subscriptions
import Synchronization

/// Keeps notifications so that they outlast a power cut, all that wait in one commit: each of them waits for the commit that is under
/// way and for its own, however many come. Of many only the bodies are kept then, and what they say is taken afterwards (`InboxWorker`).
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
    var body: [UInt8]
    var answer: CheckedContinuation<Outcome, Never>
  }

  private struct State {
    var waiting: [Waiting] = []
    var isWriting = false
    /// Those of the commit that is under way.
    var written = 0
  }

  /// Some 30 milliseconds of work; with more, taking what each says would have all of them wait.
  private static let few = 4

  private let store: ReceiptStore
  private let inbox: InboxWorker
  private let mostWaiting: Int
  private let clock: @Sendable () -> Instant
  private let counts: ListenerCounts
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "subtop.listen.commit")

  /// - Parameter counts: is told how long each commit took.
  init(
    _ store: ReceiptStore, _ inbox: InboxWorker, mostWaiting: Int, clock: @escaping @Sendable () -> Instant,
    _ counts: ListenerCounts
  ) {
    (self.store, self.inbox, self.mostWaiting) = (store, inbox, mostWaiting)
    (self.clock, self.counts) = (clock, counts)
  }

  /// Those that have no answer yet.
  var backlog: Int { state.withLock { $0.waiting.count + $0.written } }

  /// Returns once it is kept, or was not.
  ///
  /// - Parameter body: as it came.
  func keep(_ notification: ReceivedNotification, body: [UInt8]) async -> Outcome {
    await withCheckedContinuation { answer in
      let (isFull, begins) = state.withLock { state -> (Bool, Bool) in
        guard state.waiting.count < mostWaiting else { return (true, false) }
        state.waiting.append(Waiting(notification: notification, body: body, answer: answer))
        defer { state.isWriting = true }
        return (false, !state.isWriting)
      }
      inbox.yield(to: true)
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
      guard !batch.isEmpty else { return inbox.yield(to: false) }
      let outcomes = commit(batch)
      state.withLock { $0.written = 0 }
      for (waiting, outcome) in zip(batch, outcomes) {
        waiting.answer.resume(returning: outcome)
      }
    }
  }

  private func commit(_ batch: [Waiting]) -> [Outcome] {
    let begin = ContinuousClock.now
    var reason = ""
    do throws(StoreError) {
      let outcomes = try kept(batch)
      counts.take(commitOf: (ContinuousClock.now - begin) / .seconds(1))
      return outcomes
    } catch {
      reason = error.description
    }
    // Whatever keeps one from being kept is not to cost the others their place, unless it would take everybody long.
    guard batch.count > 1, ContinuousClock.now - begin < .seconds(1) else {
      return batch.map { _ in .failed(reason) }
    }
    return batch.flatMap { commit([$0]) }
  }

  private func kept(_ batch: [Waiting]) throws(StoreError) -> [Outcome] {
    let now = clock()
    let bodies = batch.compactMap { waiting -> (String, UInt128, [UInt8])? in
      guard case .signed(let notification) = waiting.notification, notification.lead(over: now) == nil else {
        return nil
      }
      return (notification.uuid, notification.digest, waiting.body)
    }
    // A body of version 1 holds the shared secret, which is not to be stored; what is dated ahead is not taken.
    guard batch.count > Self.few, bodies.count == batch.count, !inbox.isFull else {
      return try store.receive(batch.map(\.notification), at: now).map(Outcome.init)
    }
    let areNew = try store.keep(bodies: bodies, at: now)
    inbox.wake(after: areNew.count { $0 })
    return areNew.map { $0 ? .kept : .replayed }
  }
}

extension GroupCommit.Outcome {
  fileprivate init(_ outcome: NotificationOutcome) {
    switch outcome {
    case .kept: self = .kept
    case .replayed: self = .replayed
    case .refused(let reason): self = .refused(reason)
    case .early(let reason): self = .failed(reason)
    }
  }
}
