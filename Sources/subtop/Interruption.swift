import Dispatch
import Glibc
import Synchronization

/// Hears ^C, SIGTERM and SIGHUP once, for a command that can end in good order.
///
/// Not for the dashboard: while ncurses is up, the terminal hears signals.
final class Interruption: Sendable {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  private let heard = Mutex<Int32?>(nil)
  /// A source that nobody holds hears nothing.
  private let sources = Mutex<[any DispatchSourceSignal]>([])

  convenience init(_ stop: @escaping @Sendable () -> Void) {
    self.init(hearing: { _ in stop() })
  }

  init(hearing stop: @escaping @Sendable (Int32) -> Void) {
    for number in Self.signals where !Self.isIgnored(number) {
      signal(number, SIG_IGN)
      sources.withLock { $0.append(source(of: number, stop)) }
    }
  }

  /// What whoever started the program wanted ignored, as `nohup` does, stays ignored.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// The signal that was heard first.
  var number: Int32? { heard.withLock { $0 } }

  /// Ends the process by the signal that was heard, so that whoever started it sees the right status.
  func repeatIfHeard() {
    if let number { Self.die(by: number) }
  }

  /// Leaves the signals to whoever hears them next.
  func end() {
    sources.withLock { sources in
      for source in sources { source.cancel() }
      sources = []
    }
    for number in Self.signals { signal(number, SIG_DFL) }
  }

  /// Ends the process, from any thread: those of Dispatch block signals, so that one raised there would only wait.
  static func die(by number: Int32) {
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }

  private func source(
    of number: Int32, _ stop: @escaping @Sendable (Int32) -> Void
  ) -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { @Sendable [weak self] in
      let isFirst =
        self?.heard.withLock { heard in
          defer { heard = heard ?? number }
          return heard == nil
        } ?? false
      // The second time is meant.
      if isFirst { stop(number) } else { Self.die(by: number) }
    }
    source.resume()
    return source
  }
}
