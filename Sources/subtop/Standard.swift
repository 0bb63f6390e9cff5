import Glibc
import Screen
import Subscriptions

/// Standard output and error, written whole and unbuffered. Data goes to the one, words for people to the other.
enum Standard {
  /// Whether somebody can use a dashboard here.
  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }
  static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Columns of the terminal that reads standard output; wide where it is none, so that nothing is dropped.
  static var outputColumns: Int { columns(of: STDOUT_FILENO) ?? 160 }
  static var errorColumns: Int { columns(of: STDERR_FILENO) ?? 160 }

  /// Nil where it is no terminal.
  private static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }

  /// Letters beyond ASCII only where the locale says that they can be shown.
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

  /// A page that is drawn for whoever reads it.
  static func print(_ page: (_ width: Int, _ glyphs: GlyphSet) -> String) throws(Failure) {
    try print(page(outputColumns, glyphs))
  }

  /// File names, settings and what others said may stand in a sentence.
  static func complain(_ sentence: String) {
    note("\(Journal.prefix(.error))subtop: \(sentence.harmless(in: glyphs))\n")
  }

  /// Words about the work in progress. Whatever goes to standard error comes through here.
  static func note(_ text: String) { _ = write(text.withoutSecrets.utf8, to: STDERR_FILENO) }

  /// The whole; false where the system has said why not.
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
