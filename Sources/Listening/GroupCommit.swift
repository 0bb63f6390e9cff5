import Dispatch
import ReceiptStore
import Subscriptions
import Synchronization

/// Stores notifications durably, with one commit for all notifications that are waiting.
///
/// A group of more than `few` notifications, all signed and none with a future date, is stored unprocessed if
/// the inbox is not full; `InboxWorker` processes it later.
final class GroupCommit: Sendable {
  /// Outcome for a notification; a failure means that it was not stored.
  typealias Outcome = Result<NotificationOutcome, StoreError>

  private struct Waiting {
    var notification: ReceivedNotification
    var body: [UInt8]
    var answer: CheckedContinuation<Outcome, Never>
  }

  private struct State {
    var waiting: [Waiting] = []
    var isWriting = false
    var written = 0
    var durations = ListenerFigures.Histogram()
  }

  /// Maximum notifications in a group that is processed, in about 30 ms, before the responses are sent.
  private static let few = 4

  private let store: ReceiptStore
  private let inbox: InboxWorker
  private let mostWaiting: Int
  private let clock: @Sendable () -> Instant
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "subtop.listen.commit")

  init(
    _ store: ReceiptStore, _ inbox: InboxWorker, mostWaiting: Int, clock: @escaping @Sendable () -> Instant
  ) {
    (self.store, self.inbox, self.mostWaiting, self.clock) = (store, inbox, mostWaiting, clock)
  }

  var progress: (backlog: Int, commits: ListenerFigures.Histogram) {
    state.withLock { ($0.waiting.count + $0.written, $0.durations) }
  }

  func keep(_ notification: ReceivedNotification, body: [UInt8]) async -> Outcome {
    await withCheckedContinuation { answer in
      let (isFull, begins) = state.withLock { state -> (Bool, Bool) in
        guard state.waiting.count < mostWaiting else { return (true, false) }
        state.waiting.append(Waiting(notification: notification, body: body, answer: answer))
        defer { state.isWriting = true }
        return (false, !state.isWriting)
      }
      inbox.yield(to: true)
      if isFull { answer.resume(returning: .failure(StoreError("\(mostWaiting) others are waiting"))) }
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
      for (waiting, outcome) in zip(batch, outcomes) { waiting.answer.resume(returning: outcome) }
    }
  }

  private func commit(_ batch: [Waiting]) -> [Outcome] {
    let begin = ContinuousClock.now
    let failure: StoreError
    do throws(StoreError) {
      let outcomes = try kept(batch)
      state.withLock { $0.durations.take((ContinuousClock.now - begin) / .seconds(1)) }
      return outcomes.map { .success($0) }
    } catch {
      failure = error
    }
    // After a quick failure, each notification is committed alone, so that a faulty one fails no others.
    guard batch.count > 1, ContinuousClock.now - begin < .seconds(1) else {
      return batch.map { _ in .failure(failure) }
    }
    return batch.flatMap { commit([$0]) }
  }

  private func kept(_ batch: [Waiting]) throws(StoreError) -> [NotificationOutcome] {
    let now = clock()
    let bodies = batch.compactMap { waiting -> (String, UInt128, [UInt8])? in
      guard case .signed(let notification) = waiting.notification, notification.lead(over: now) == nil else {
        return nil
      }
      return (notification.uuid, notification.digest, waiting.body)
    }
    // Version 1 bodies contain the shared secret; notifications with a future date are not accepted yet.
    guard batch.count > Self.few, bodies.count == batch.count, !inbox.isFull else {
      return try store.receive(batch.map(\.notification), at: now)
    }
    let areNew = try store.keep(bodies: bodies, at: now)
    inbox.wake(after: areNew.count { $0 })
    return areNew.map { $0 ? .kept : .replayed }
  }
}
