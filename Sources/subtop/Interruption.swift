import CProcess
import Glibc
import Synchronization

/// Hears ^C, SIGTERM and SIGHUP once, for a command that can end in good order.
///
/// On a thread of its own, which needs neither libdispatch nor memory: where those fail, a program can be ended all the same. Where
/// not even that thread can be made, the signals do what they do by default.
///
/// Not for the dashboard: while ncurses is up, the terminal hears signals.
final class Interruption: Sendable {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  /// Milliseconds that a command has for ending in good order.
  private static let grace: Int32 = 30_000
  /// Of the thread, which does hardly anything.
  private static let stackSize = 256 << 10

  private let heard = Mutex<Int32?>(nil)
  private let stop: @Sendable (Int32) -> Void
  private let numbers: [Int32]
  /// Where a signal's number comes out and goes in.
  private let pipe: (reading: Int32, writing: Int32)

  convenience init(_ stop: @escaping @Sendable () -> Void) {
    self.init(hearing: { _ in stop() })
  }

  /// Ends the process at once, but for what is to be taken away first.
  static func removing(_ remove: @escaping @Sendable () -> Void) -> Interruption {
    Interruption(hearing: { number in
      remove()
      die(by: number)
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
    // Whoever sends signals without end is not to have the handler wait.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    guard startListening() else { return }
    for number in numbers { process_pass_on_signal(number, ends[1]) }
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

  /// Leaves the signals to whoever hears them next. The pipe stays, since a handler may still be about to write.
  func end() {
    for number in numbers { process_pass_on_signal(number, -1) }
    var over: UInt8 = 0
    _ = write(pipe.writing, &over, 1)
  }

  /// Ends the process, from any thread: those of Dispatch block signals, so that one raised there would only wait.
  static func die(by number: Int32) {
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }

  /// Whether there is a thread now that listens.
  private func startListening() -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, Self.stackSize)
    let held = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        Unmanaged<Interruption>.fromOpaque(context).takeRetainedValue().listen()
        return nil
      }, held.toOpaque())
    if failure != 0 { held.release() }
    return failure == 0
  }

  private func listen() {
    while true {
      var waiting = pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)
      let count = poll(&waiting, 1, number == nil ? -1 : Self.grace)
      // It was told to end, and does not.
      if count == 0 { return repeatIfHeard() }
      var byte: UInt8 = 0
      guard count > 0, read(pipe.reading, &byte, 1) == 1 else { continue }
      let number = Int32(byte)
      guard number != 0 else { return }
      let isFirst = heard.withLock { heard in
        defer { heard = heard ?? number }
        return heard == nil
      }
      // The second time is meant.
      guard isFirst else { return Self.die(by: number) }
      stop(number)
    }
  }
}
