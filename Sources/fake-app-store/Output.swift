import Glibc

/// Writer to standard output and files that throws unless everything was written.
enum Output {
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  static func write(_ text: String) throws(Problem) {
    try write(text, to: STDOUT_FILENO, named: "to standard output")
  }

  /// Creates or truncates a file, and sets its permissions to `mode`.
  static func write(_ text: String, to path: String, mode: mode_t) throws(Problem) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard file >= 0 else { throw problem(path) }
    defer { close(file) }
    guard fchmod(file, mode) == 0 else { throw problem(path) }
    try write(text, to: file, named: path)
  }

  private static func write(_ text: String, to file: Int32, named name: String) throws(Problem) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw problem(name) }
      bytes = bytes.dropFirst(count)
    }
  }

  private static func problem(_ name: String) -> Problem {
    Problem(
      description:
        "cannot write \(name): \(String(cString: strerror(errno))); check permissions and free space"
    )
  }
}
