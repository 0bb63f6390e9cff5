/// What to write where a value that begins with a dash was taken for an option.
enum DashedValue {
  /// - Parameters:
  ///   - problem: what the parser says of the arguments.
  /// - Returns: nil where that is about something else.
  static func advice(on problem: String, _ arguments: [String]) -> String? {
    if problem.hasPrefix("Missing expected argument") {
      return arguments.first(where: isDashed).map { value in
        "If \(printable(value)) is meant as the argument, write -- before it, behind all options."
      }
    }
    guard problem.hasPrefix("Missing value for '") else { return nil }
    let option = problem.drop { $0 != "'" }.dropFirst().prefix { $0 != "'" && $0 != " " }
    return zip(arguments, arguments.dropFirst()).first { $0 == option && isDashed($1) }.map { _, value in
      "If \(printable(value)) is meant as the value, write \(option)=\(printable(value))"
    }
  }

  private static func isDashed(_ argument: String) -> Bool {
    argument.hasPrefix("-") && !argument.hasPrefix("--") && argument.count > 1
  }
}
