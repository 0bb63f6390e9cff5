import Subscriptions

/// What to write where the default command was given a word that is none of its own: a command that is misspelt, or behind options.
enum MisplacedCommand {
  /// - Parameters:
  ///   - problem: what the parser says of the arguments.
  ///   - arguments: without the program's own name.
  ///   - commands: the names of all.
  /// - Returns: nil where that is about something else.
  static func advice(on problem: String, _ arguments: [String], commands: [String]) -> String? {
    guard problem.contains("nexpected argument"), let first = arguments.first, !commands.contains(first),
      !first.isEmpty
    else {
      return nil
    }
    guard first.hasPrefix("-") else {
      let near = NearNames.of(printable(first), among: commands)
      let nearest = near.isEmpty ? "" : "; near it there is \(near.joined(separator: ", "))"
      return "There is no command \(printable(first))\(nearest). `subtop help` lists all."
    }
    return arguments.first(where: commands.contains).map {
      "Options stand behind the command: begin with `subtop \($0)`."
    }
  }
}
