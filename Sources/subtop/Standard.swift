import Glibc
import Screen
import Subscriptions

/// Standard output for data, and standard error for messages, both unbuffered.
enum Standard {
  /// Whether a dashboard can be shown.
  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }
  static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Width of the terminal at standard output. Large if there is no terminal, so that nothing is truncated.
  static var outputColumns: Int { columns(of: STDOUT_FILENO) ?? 160 }
  static var errorColumns: Int { columns(of: STDERR_FILENO) ?? 160 }

  private static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }

  /// Characters that the locale can show.
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

  /// Prints a page laid out for the terminal.
  static func print(_ page: (_ width: Int, _ glyphs: GlyphSet) -> String) throws(Failure) {
    try print(page(outputColumns, glyphs))
  }

  /// Prints an error message, which may contain file names, settings and foreign text.
  static func complain(_ sentence: String) {
    note("\(Journal.prefix(.error))subtop: \(sentence.harmless(in: glyphs))\n")
  }

  /// Writes to standard error. All output there goes through this function, which removes secrets.
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
