import ArgumentParser

/// `subtop help`: of a command as ArgumentParser tells it, and of topics.
struct HelpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "help",
    abstract: "Explain a command or a topic, or list both.",
    // ArgumentParser has a command of this name, which it names where it wants to.
    shouldDisplay: false)

  @Argument(help: ArgumentHelp("A command or a topic.", valueName: "name"))
  var names: [String] = []

  /// Lines of no more than this are read with ease, however wide the terminal is.
  private static var columns: Int { min(max(Standard.outputColumns, 40), 80) }

  func run() throws {
    guard let name = names.first else {
      return try print(
        Subtop.helpMessage(columns: Self.columns) + "\n\n" + HelpTopic.list(columns: Self.columns))
    }
    if let command = Self.commands.first(where: { $0.configuration.commandName == name }) {
      throw CleanExit.helpRequest(command)
    }
    guard names.count == 1, let topic = HelpTopic.named(name) else { throw Self.unknown(names) }
    try print(try topic.text(columns: Self.columns))
  }

  private static var commands: [any ParsableCommand.Type] {
    Subtop.configuration.subcommands
  }

  private func print(_ text: String) throws(Failure) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    try Standard.print(
      lines.map { String($0).harmless(in: Standard.glyphs) }.joined(separator: "\n"),
      terminator: text.hasSuffix("\n") ? "" : "\n")
  }

  private static func unknown(_ names: [String]) -> Failure {
    let words = printable(names.joined(separator: " "))
    let shown = commands.filter { $0.configuration.shouldDisplay }.compactMap { $0.configuration.commandName }
    let near = NearNames.of(words, among: HelpTopic.all.map(\.name) + shown)
    let nearest = near.isEmpty ? "" : "; near it there is \(near.joined(separator: ", "))"
    return Failure(.usage, "there is no command or topic \(words)\(nearest); `subtop help` lists both")
  }
}
