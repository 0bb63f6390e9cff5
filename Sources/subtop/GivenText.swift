import Glibc

/// What the program was called with: a path or an id in other bytes than UTF-8 would become that of something else.
enum GivenText {
  static func check() throws(Failure) {
    for place in 1..<max(CommandLine.argc, 1) {
      guard let text = CommandLine.unsafeArgv[Int(place)] else { continue }
      try check(text, printable(String(cString: text)), "rename the file, or pass another value")
    }
  }

  /// - Parameters:
  ///   - name: what it is.
  ///   - advice: what to do instead.
  static func check(_ text: UnsafePointer<CChar>, _ name: String, _ advice: String) throws(Failure) {
    guard String(validatingCString: text) == nil else { return }
    throw Failure(.usage, "\(name) is not UTF-8, which paths, ids and names have to be; \(advice)")
  }
}
