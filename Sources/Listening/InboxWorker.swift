import AppStore
import Dispatch
import ReceiptStore
import Subscriptions
import Synchronization

/// Processes the notifications in the store's inbox in small commits, even those left by a killed listener.
final class InboxWorker: Sendable {
  /// Maximum bodies per commit, which takes about 40 milliseconds; newly received notifications wait for it.
  private static let batch = 16
  /// Maximum number of bodies in the inbox, which take a gigabyte at 19 kB each.
  private static let most = 50_000
  /// Maximum delay of a batch while other notifications await an answer.
  private static let courtesy = DispatchTimeInterval.milliseconds(200)
  private static let pause = DispatchTimeInterval.seconds(1)

  private struct State {
    var isRunning = false
    var isStopped = false
    var count = 0
  }

  private let store: ReceiptStore
  private let hooks: ListenerHooks
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "subtop.listen.inbox", qos: .utility)
  private let areOthersWaiting = Atomic(false)

  init(_ store: ReceiptStore, hooks: ListenerHooks) { (self.store, self.hooks) = (store, hooks) }

  func yield(to areWaiting: Bool) { areOthersWaiting.store(areWaiting, ordering: .relaxed) }

  var count: Int { state.withLock(\.count) }
  var isFull: Bool { count >= Self.most }

  func begin() {
    queue.async { [self] in
      do throws(StoreError) {
        wake(after: try store.inboxCount())
      } catch {
        hooks.report(.postponed(error.description))
      }
    }
  }

  /// Adds `more` to the number of bodies in the inbox, and starts the processing unless it is running.
  func wake(after more: Int) {
    let begins = state.withLock { state in
      state.count += more
      guard !state.isRunning, !state.isStopped, state.count > 0 else { return false }
      state.isRunning = true
      return true
    }
    if begins { queue.async { self.work() } }
  }

  private func work() {
    while goesOn() {
      let deadline = DispatchTime.now() + Self.courtesy
      while areOthersWaiting.load(ordering: .relaxed), DispatchTime.now() < deadline {
        Self.wait(.milliseconds(2))
      }
      do throws(StoreError) {
        try takeSome()
      } catch {
        hooks.report(.postponed(error.description))
        return queue.asyncAfter(deadline: .now() + Self.pause) { self.work() }
      }
    }
  }

  private func goesOn() -> Bool {
    state.withLock { state in
      if state.isStopped || state.count == 0 { state.isRunning = false }
      return state.isRunning
    }
  }

  private func takeSome() throws(StoreError) {
    let known = count
    let entries = try store.inbox(atMost: Self.batch)
    // Another program may have processed the bodies.
    guard !entries.isEmpty else { return state.withLock { $0.count -= known } }
    var (taken, others) = ([(id: Int64, notification: ReceivedNotification)](), [Int64]())
    for entry in entries {
      switch hooks.admission(of: entry.body) {
      case .taken(let notification): taken.append((entry.id, notification))
      case .refused(let reason):
        hooks.report(.refused(reason))
        others.append(entry.id)
      // The body was admitted when it arrived, so this failure is temporary.
      case .unknown(let reason): throw StoreError(reason)
      }
    }
    var early: [String] = []
    for outcome in try store.take(inbox: taken, at: hooks.clock()) {
      switch outcome {
      case .refused(let reason): hooks.report(.refused(reason))
      case .early(let reason): early.append(reason)
      case .kept, .replayed: break
      }
    }
    if !others.isEmpty { try store.remove(inbox: others) }
    // After a full batch, the inbox may have more bodies, which another listener added.
    let least = entries.count == Self.batch ? 1 : 0
    state.withLock { $0.count = max($0.count - entries.count + early.count, least) }
    // Notifications with a future date stay in the inbox, and are retried until that date has come.
    if let reason = early.first { throw StoreError(reason) }
  }

  /// Waits for an empty inbox until the deadline, and stops; the next listener processes the rest.
  func finish(until deadline: DispatchTime) {
    while count > 0, DispatchTime.now() < deadline { Self.wait(.milliseconds(10)) }
    state.withLock { $0.isStopped = true }
    queue.sync {}
  }

  private static func wait(_ interval: DispatchTimeInterval) {
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + interval)
  }
}

/// Functions that the owner of a listener provides.
public struct ListenerHooks: Sendable {
  public var clock: @Sendable () -> Instant
  /// Decides whether a body is accepted; called from any thread.
  public var admit: @Sendable (NotificationBody) -> Admission
  /// Returns the text of `GET /metrics`.
  public var metrics: @Sendable (ListenerFigures) -> String
  public var report: @Sendable (ListenerTrouble) -> Void

  public init(
    clock: @escaping @Sendable () -> Instant, admit: @escaping @Sendable (NotificationBody) -> Admission,
    metrics: @escaping @Sendable (ListenerFigures) -> String,
    report: @escaping @Sendable (ListenerTrouble) -> Void
  ) {
    (self.clock, self.admit, self.metrics, self.report) = (clock, admit, metrics, report)
  }

  func admission(of body: [UInt8]) -> Admission {
    do throws(UnreadableAnswer) {
      return admit(try NotificationBody(decoding: body))
    } catch {
      return .refused("it is not a server notification: \(error)")
    }
  }
}

/// Decision about a body, based on the configured secrets and certificates.
public enum Admission: Sendable {
  case taken(ReceivedNotification)
  /// Refused permanently; the text is the reason, such as `it has no password`.
  case refused(String)
  /// No decision is possible now, so the notification must be retried; the text is the reason.
  case unknown(String)
}

/// Problem that a listener reports for its log, with the reason or, if `crowded`, the number of connections.
public enum ListenerTrouble: Sendable {
  case refused(String)
  /// A notification was not stored and Apple will send it again, or the store could not be read.
  case failed(String)
  case postponed(String)
  case crowded(Int)
}
