/// What a program was called with: a path or an id in other bytes than UTF-8 would become that of something else.
public enum GivenText {
  /// What is wrong with the first of a program's arguments that is not UTF-8, of all but its own name; nil where all are.
  public static func problem(
    ofArguments arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, count: Int32
  ) -> String? {
    for place in 1..<max(Int(count), 1) {
      guard let text = arguments[place] else { continue }
      let name = printable(String(cString: text))
      if let problem = problem(text, name, "rename the file, or pass another value") { return problem }
    }
    return nil
  }

  /// A program's arguments with `help NAME` for `--help NAME`, which ArgumentParser takes for a question about the default command.
  ///
  /// - Parameter arguments: without the program's own name.
  public static func withHelpAsCommand(_ arguments: [String]) -> [String] {
    guard let first = arguments.first, ["-h", "--help"].contains(first),
      let name = arguments.dropFirst().first, !name.hasPrefix("-")
    else { return arguments }
    return ["help"] + arguments.dropFirst()
  }

  /// What is wrong with text that is not UTF-8; nil with any other.
  ///
  /// - Parameters:
  ///   - name: what it is.
  ///   - advice: what to do instead.
  public static func problem(_ text: UnsafePointer<CChar>, _ name: String, _ advice: String) -> String? {
    guard String(validatingCString: text) == nil else { return nil }
    return "\(name) is not UTF-8, which paths, ids and names have to be; \(advice)"
  }
}
