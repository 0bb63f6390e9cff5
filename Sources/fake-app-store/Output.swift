import Glibc

/// Standard output, of which nothing may be missing: what `import` is given is the whole population.
enum Output {
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  /// - Throws: where not all of it could be written, as on a full disk.
  static func write(_ text: String) throws(Problem) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw Problem(description: "cannot write to standard output: \(String(cString: strerror(errno)))")
      }
      bytes = bytes.dropFirst(count)
    }
  }
}
