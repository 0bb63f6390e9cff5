import Dashboard
import Glibc
import Screen
import Subscriptions
import Synchronization

/// Standard output for data, and standard error for messages, both unbuffered.
enum Standard {
  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }
  static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Columns of the terminal at standard output; 160 if there is no terminal.
  static var outputColumns: Int { columns(of: STDOUT_FILENO) ?? 160 }
  static var errorColumns: Int { columns(of: STDERR_FILENO) ?? 160 }

  private static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }

  static var glyphs: GlyphSet {
    let locale = Environment.locale?.uppercased() ?? ""
    return locale.contains("UTF-8") || locale.contains("UTF8") ? .unicode : .ascii
  }

  static func print(_ text: String, terminator: String = "\n") throws(Failure) {
    guard write((text + terminator).utf8, to: STDOUT_FILENO) else {
      if errno == EPIPE { throw .readerGone }
      throw Failure(.failed, "cannot write to standard output: \(errorText())")
    }
  }

  static func print(_ page: (_ width: Int, _ glyphs: GlyphSet) -> String) throws(Failure) {
    try print(page(outputColumns, glyphs))
  }

  /// Prints an error message without control characters, because it may contain foreign text.
  static func complain(_ sentence: String) {
    note("\(Journal.prefix(.error))subtop: \(sentence.harmless(in: glyphs))\n")
  }

  /// Writes to standard error; all output there goes through this function, which removes secrets.
  static func note(_ text: String) { _ = write(text.withoutSecrets.utf8, to: STDERR_FILENO) }

  /// Writes all bytes, and returns `false` on failure, with `errno` set.
  static func write(_ whole: some Sequence<UInt8>, to descriptor: Int32) -> Bool {
    var bytes = Array(whole)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      bytes = bytes.dropFirst(written)
    }
    return true
  }
}

extension String {
  /// Returns the text without characters that could control the terminal; with `.ascii`, in ASCII alone.
  func harmless(in glyphs: GlyphSet) -> String {
    glyphs == .ascii ? printable(self, atMost: .max) : harmless
  }
}

/// Progress on standard error: a line redrawn in place on a terminal, otherwise a line every ten seconds.
final class ProgressLine: Sendable {
  let isTerminal = Standard.isErrorTerminal
  private let isUnicode = Standard.glyphs == .unicode
  private let last = Mutex((time: SystemClock.uptime, isShown: false))
  private static let room = 20

  /// Shows progress at most every 100 ms, or every ten seconds if there is no terminal.
  ///
  /// `share` is the completed part of the work, 0 to 1, or `nil` for no bar.
  func show(_ words: @autoclosure () -> String, share: Double? = nil, of name: String? = nil) {
    guard isTime() else { return }
    guard isTerminal else { return Standard.note((name.map { "\($0): " } ?? "") + words() + "\n") }
    let text = (share.map { "[\(bar($0))] " } ?? "") + words()
    Standard.note("\r\u{1B}[2K" + String(text.prefix(max(Standard.errorColumns - 1, 20))))
  }

  private func isTime() -> Bool {
    last.withLock { last in
      let now = SystemClock.uptime
      guard now - last.time >= (isTerminal ? 100 : 10 * Milliseconds.second) else { return false }
      last = (now, true)
      return true
    }
  }

  func clear() { if last.withLock(\.isShown) { Self.clear() } }

  static func clear() { if Standard.isErrorTerminal { Standard.note("\r\u{1B}[2K") } }

  private func bar(_ share: Double) -> String {
    let full = min(max(Int(share * Double(Self.room)), 0), Self.room)
    let (ink, paper) = isUnicode ? ("█", "░") : ("#", "-")
    return String(repeating: ink, count: full) + String(repeating: paper, count: Self.room - full)
  }
}

/// Rate over the last five seconds, which predicts better than the mean since the start.
struct RecentRate: Sendable {
  private var samples: [(elapsed: Int64, done: Int)] = [(0, 0)]
  private static let span = 5 * Milliseconds.second

  /// Returns the work done, as `3 of 10 (30 %)`, then the rate per second and, if known, the time left.
  ///
  /// `elapsed` is in milliseconds, and `text` formats an amount of work.
  mutating func words(
    _ done: Int, of total: Int?, at elapsed: Int64, _ text: (Int) -> String
  ) -> [String] {
    samples.append((elapsed, done))
    while samples.count > 2, elapsed - samples[1].elapsed > Self.span { samples.removeFirst() }
    let passed = elapsed - samples[0].elapsed
    let rate = passed > 0 ? Double(done - samples[0].done) * 1000 / Double(passed) : 0
    let share = total.map { $0 > 0 ? " (\(min(done, $0) * 100 / $0) %)" : "" } ?? ""
    let left = total.map { $0 - done } ?? 0
    return [
      text(done) + (total.map { " of \(text($0))" } ?? "") + share, "\(text(Int(rate.rounded()))) a second",
    ] + (rate > 0 && left > 0 ? ["\(AgeText.of(Int64(Double(left) / rate * 1000))) left"] : [])
  }
}

func showingProgress<Value>(
  _ doing: String,
  counting unit: (one: String, several: String) = ("subscription history", "subscription histories"),
  _ work: (_ watch: @escaping @Sendable (Int, Int) -> Void) throws -> Value
) rethrows -> Value {
  let line = ProgressLine()
  defer { line.clear() }
  return try work { done, total in
    let share = total > 0 ? Double(done) / Double(total) : nil
    let percent = share.map { " (\(Int($0 * 100)) %)" } ?? ""
    line.show(
      "\(doing): \(CountText.of(done)) of \(CountText.of(total, unit.one, unit.several))\(percent)",
      share: share)
  }
}
