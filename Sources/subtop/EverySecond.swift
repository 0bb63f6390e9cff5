import Dispatch
import Synchronization

/// Does something once a second, until it is told to end or nobody holds it any more.
final class EverySecond: Sendable {
  private let timer: Mutex<any DispatchSourceTimer>

  /// - Parameters:
  ///   - delay: seconds before the first time.
  ///   - queue: where it is done.
  init(
    after delay: Int = 0, on queue: DispatchQueue = .global(qos: .utility),
    _ body: @escaping @Sendable () -> Void
  ) {
    timer = Mutex(Self.timer(after: delay, on: queue, body))
  }

  deinit { end() }

  func end() { timer.withLock { $0.cancel() } }

  private static func timer(
    after delay: Int, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
  ) -> sending any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + .seconds(delay), repeating: .seconds(1), leeway: .milliseconds(200))
    timer.setEventHandler { @Sendable in body() }
    timer.activate()
    return timer
  }
}
