import Dispatch
import ReceiptStore
import Subscriptions
import Synchronization

/// Stores notifications durably, all waiting ones in one commit. Of a large group only the bodies are stored,
/// and `InboxWorker` processes them afterwards.
final class GroupCommit: Sendable {
  enum Outcome: Sendable {
    case kept
    case replayed
    case refused(String)
    /// The notification was not stored. The reason is one sentence.
    case failed(String)
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
    var written = 0
  }

  /// Largest group processed at once, about 30 milliseconds of work. More would delay every answer.
  private static let few = 4

  private let store: ReceiptStore
  private let inbox: InboxWorker
  private let mostWaiting: Int
  private let clock: @Sendable () -> Instant
  private let counts: ListenerCounts
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "subtop.listen.commit")

  init(
    _ store: ReceiptStore, _ inbox: InboxWorker, mostWaiting: Int, clock: @escaping @Sendable () -> Instant,
    _ counts: ListenerCounts
  ) {
    (self.store, self.inbox, self.mostWaiting) = (store, inbox, mostWaiting)
    (self.clock, self.counts) = (clock, counts)
  }

  var backlog: Int { state.withLock { $0.waiting.count + $0.written } }

  /// Stores a notification and returns the outcome.
  ///
  /// - Parameter body: original body of the request.
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
    // One faulty notification must not affect the others, unless separate commits would take too long.
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
    // Bodies of version 1 contain the shared secret and must not be stored. Future dates are refused for now.
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
