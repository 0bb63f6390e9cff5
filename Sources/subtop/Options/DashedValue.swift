import Subscriptions

/// What to write where a value that begins with a dash was taken for an option.
enum DashedValue {
  /// - Parameters:
  ///   - problem: what the parser says of the arguments.
  /// - Returns: nil where that is about something else.
  static func advice(on problem: String, _ arguments: [String]) -> String? {
    if problem.hasPrefix("Missing expected argument") {
      return arguments.first(where: mayBeAdvised).map { value in
        "If \(quoted(value)) is meant as the argument, write -- before it, behind all options."
      }
    }
    guard problem.hasPrefix("Missing value for '") else { return nil }
    let option = problem.drop { $0 != "'" }.dropFirst().prefix { $0 != "'" && $0 != " " }
    return zip(arguments, arguments.dropFirst()).first { $0 == option && mayBeAdvised($1) }.map { _, value in
      "If \(quoted(value)) is meant as the value, write \(option)=\(quoted(value))"
    }
  }

  /// As a shell takes it for one word; what needs no quotation marks has none.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || "-_.,:/@%+=".utf8.contains(byte)
    }
    return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }

  /// What cannot be printed as it is would name another value.
  private static func mayBeAdvised(_ argument: String) -> Bool {
    argument.hasPrefix("-") && !argument.hasPrefix("--") && argument.count > 1
      && printable(argument) == argument
  }
}
