import Glibc

/// What the program was called with: a path or an id in other bytes than UTF-8 would become that of something else.
enum GivenText {
  static func check() throws(Failure) {
    for place in 1..<max(CommandLine.argc, 1) {
      guard let text = CommandLine.unsafeArgv[Int(place)] else { continue }
      let (name, advice) = (printable(String(cString: text)), "rename the file, or pass another value")
      if let problem = problem(text, name, advice) { throw Failure(.usage, problem) }
    }
  }

  /// What is wrong with text that is not UTF-8; nil with any other.
  ///
  /// - Parameters:
  ///   - name: what it is.
  ///   - advice: what to do instead.
  static func problem(_ text: UnsafePointer<CChar>, _ name: String, _ advice: String) -> String? {
    guard String(validatingCString: text) == nil else { return nil }
    return "\(name) is not UTF-8, which paths, ids and names have to be; \(advice)"
  }
}
