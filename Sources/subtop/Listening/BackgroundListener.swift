import AppStore
import Dashboard
import Dispatch
import Listening
import Logging
import ReceiptStore
import Screen
import Subscriptions
import Synchronization

/// Receives notifications beside the dashboard, which it tells how that goes. Nobody who presses a key waits for any of it.
final class BackgroundListener: Sendable {
  private let listener: NotificationListener
  private let options: ListenerOptions
  private let troubles = ListenerTroubles()
  /// Where it listens; nil until it does.
  private let url = Mutex<String?>(nil)
  private let told = Mutex<Reception?>(nil)
  private let timer = Mutex<Ticker?>(nil)
  private let isEnded = Atomic(false)
  private let queue = DispatchQueue(label: "subtop.listening", qos: .utility)

  /// How long what came in has for being kept and answered, once somebody leaves. Whatever was answered 200 is kept by then.
  private static let grace = DispatchTimeInterval.seconds(5)

  init(
    _ store: ReceiptStore, _ options: ListenerOptions,
    clock: @escaping @Sendable () -> Instant = { SystemClock.now },
    admit: @escaping @Sendable (NotificationBody) -> Admission
  ) {
    self.options = options
    listener = NotificationListener(store, options, troubles, clock: clock, admit: admit)
  }

  /// Listens from now on; gives the port.
  @discardableResult
  func start() throws(ListenerProblem) -> Int {
    let port = try listener.start()
    url.withLock { $0 = ListenerText.url(options, port: port) }
    return port
  }

  /// Tells from now on how it goes. Listens first, where it does not yet; returns at once all the same.
  func begin(_ tell: @escaping @Sendable (Event) -> Void) {
    troubles.tell { tell(.noted($0.harmless, isBad: true)) }
    queue.async { [self] in
      do throws(ListenerProblem) {
        if url.withLock({ $0 == nil }) { try start() }
      } catch {
        guard !isEnded.load(ordering: .acquiring) else { return }
        Logger.subtop.error("\(error)")
        return tell(.notReceiving("\(error)".harmless))
      }
      // However many come, it is told once a second.
      let timer = Ticker(on: queue) { [weak self] in self?.look(tell) }
      self.timer.withLock { $0 = timer }
    }
  }

  private func look(_ tell: @Sendable (Event) -> Void) {
    guard let url = url.withLock(\.self) else { return }
    let reception = Reception(url: url, listener.figures)
    let isNews = told.withLock { told in
      defer { told = reception }
      return told != reception
    }
    if isNews { tell(.receiving(reception)) }
  }

  /// Takes no more, and returns when what came in is kept and answered, or has not been for seconds.
  func end() {
    guard !isEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    timer.withLock { $0?.end() }
    listener.stop()
    _ = listener.wait(until: .now() + Self.grace)
    troubles.end()
  }
}

extension Reception {
  fileprivate init(url: String, _ figures: ListenerFigures) {
    self.init(
      url: url, kept: figures.count(.kept), known: figures.count(.replayed), refused: figures.count(.refused),
      failed: figures.count(.failed), last: figures.lastReceived)
  }
}
