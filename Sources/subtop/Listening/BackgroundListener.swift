import AppStore
import Dashboard
import Dispatch
import Listening
import Logging
import ReceiptStore
import Screen
import Subscriptions
import Synchronization

/// Listener for notifications beside the dashboard, which never blocks the main thread.
final class BackgroundListener: Sendable {
  private let listener: NotificationListener
  private let options: ListenerOptions
  private let troubles = ListenerTroubles()
  /// Address of the listener, `nil` until it listens, and the last reported status.
  private let state = Mutex((url: String?.none, reported: ListenerStatus?.none))
  private let timer = Mutex<Ticker?>(nil)
  private let isEnded = Atomic(false)
  private let queue = DispatchQueue(label: "subtop.listening", qos: .utility)

  private static let grace = DispatchTimeInterval.seconds(5)

  init(
    _ store: ReceiptStore, _ options: ListenerOptions,
    clock: @escaping @Sendable () -> Instant = { SystemClock.now },
    admit: @escaping @Sendable (NotificationBody) -> Admission
  ) {
    self.options = options
    listener = NotificationListener(store, options, troubles, clock: clock, admit: admit)
  }

  @discardableResult
  func start() throws(ListenerProblem) -> Int {
    let port = try listener.start()
    state.withLock { $0.url = ListenerText.url(options, port: port) }
    return port
  }

  /// Starts to listen, unless `start()` has done so, and then posts events; returns at once.
  func begin(_ post: @escaping @Sendable (Event) -> Void) {
    troubles.pass { post(.noted($0.harmless, isBad: true)) }
    queue.async { [self] in
      do throws(ListenerProblem) {
        if state.withLock({ $0.url == nil }) { try start() }
      } catch {
        guard !isEnded.load(ordering: .acquiring) else { return }
        Logger.subtop.error("\(error)")
        return post(.notReceiving("\(error)".harmless))
      }
      // Reports at most once per second.
      let timer = Ticker(on: queue) { [weak self] in self?.look(post) }
      self.timer.withLock { $0 = timer }
    }
  }

  private func look(_ post: @Sendable (Event) -> Void) {
    let news = state.withLock { state -> ListenerStatus? in
      guard let url = state.url else { return nil }
      let status = ListenerStatus(url: url, listener.figures)
      defer { state.reported = status }
      return status == state.reported ? nil : status
    }
    if let news { post(.receiving(news)) }
  }

  /// Stops listening, and waits up to five seconds until received notifications are stored and answered.
  func end() {
    guard !isEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    timer.withLock { $0?.end() }
    listener.stop()
    _ = listener.wait(until: .now() + Self.grace)
  }
}

extension ListenerStatus {
  fileprivate init(url: String, _ figures: ListenerFigures) {
    self.init(
      url: url, kept: figures.count(.kept), known: figures.count(.replayed), refused: figures.count(.refused),
      failed: figures.count(.failed), last: figures.lastReceived)
  }
}
