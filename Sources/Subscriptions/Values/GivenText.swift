/// Checks that text is UTF-8. Any other bytes would be changed, and could name another file or id.
public enum GivenText {
  /// Returns a message for the first argument that is not UTF-8. The program's own name is not checked.
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

  /// Returns the arguments with `help NAME` for `--help NAME`, which ArgumentParser would answer with the
  /// help of the default command.
  public static func withHelpAsCommand(_ arguments: [String]) -> [String] {
    guard let first = arguments.first, ["-h", "--help"].contains(first),
      let name = arguments.dropFirst().first, !name.hasPrefix("-")
    else { return arguments }
    return ["help"] + arguments.dropFirst()
  }

  /// Returns a message if a text is not UTF-8.
  public static func problem(_ text: UnsafePointer<CChar>, _ name: String, _ advice: String) -> String? {
    guard String(validatingCString: text) == nil else { return nil }
    return "\(name) is not UTF-8, which paths, ids and names have to be; \(advice)"
  }
}
