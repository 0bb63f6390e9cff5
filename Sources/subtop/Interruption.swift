import CProcess
import Dispatch
import Glibc
import Synchronization

/// Handler for ^C, SIGTERM and SIGHUP that lets a command end cleanly; a second signal ends it at once.
///
/// The dashboard has no such handler, because `Terminal` handles signals while ncurses is active.
final class Interruption: Sendable {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  /// Milliseconds that a command has to end cleanly after the first signal.
  private static let grace: Int32 = 30_000

  private let heard = Mutex<Int32?>(nil)
  private let stop: @Sendable (Int32) -> Void
  private let numbers: [Int32]
  private let pipe: (reading: Int32, writing: Int32)

  convenience init(_ stop: @escaping @Sendable () -> Void) {
    self.init(hearing: { _ in stop() })
  }

  static func ending(after last: @escaping @Sendable () -> Void) -> Interruption {
    Interruption(hearing: { number in
      last()
      die(by: number)
    })
  }

  /// Returns a handler that prints a message and ends the process; the command's commits remain.
  static func ending(saying sentence: String) -> Interruption {
    ending(after: {
      ProgressLine.clear()
      Standard.complain(sentence)
    })
  }

  init(hearing stop: @escaping @Sendable (Int32) -> Void) {
    self.stop = stop
    numbers = Self.signals.filter { !Self.isIgnored($0) }
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else {
      pipe = (-1, -1)
      return
    }
    pipe = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A flood of signals must not block the handler.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    DispatchQueue(label: "subtop.signals", qos: .userInteractive).async { self.listen() }
    for number in numbers { process_pass_on_signal(number, ends[1]) }
  }

  /// Whether the signal was ignored when the process started, as under `nohup`.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  var number: Int32? { heard.withLock { $0 } }

  /// Ends the process by the received signal, if any, so that the parent process sees the right status.
  func repeatIfHeard() {
    if let number { Self.die(by: number) }
  }

  /// Restores the signals' default actions; the pipe stays open, because a handler may be writing to it.
  func end() {
    for number in numbers { process_pass_on_signal(number, -1) }
    var over: UInt8 = 0
    _ = write(pipe.writing, &over, 1)
  }

  /// Ends the process by a signal, from any thread; `raise` hangs on Dispatch threads, which block signals.
  static func die(by number: Int32) {
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }

  private func listen() {
    while true {
      var waiting = pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)
      let count = poll(&waiting, 1, number == nil ? -1 : Self.grace)
      // The command did not end in time.
      if count == 0 { return repeatIfHeard() }
      var byte: UInt8 = 0
      guard count > 0, read(pipe.reading, &byte, 1) == 1 else { continue }
      let number = Int32(byte)
      guard number != 0 else { return }
      let isFirst = heard.withLock { heard in
        defer { heard = heard ?? number }
        return heard == nil
      }
      guard isFirst else { return Self.die(by: number) }
      stop(number)
    }
  }
}
