import ArgumentParser
import Subscriptions

/// Command `subtop help`, which explains commands (in ArgumentParser's words) and topics.
struct HelpCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "help",
    abstract: "Explain a command or topic, or list all.",
    // ArgumentParser lists its own command of this name.
    shouldDisplay: false)

  @Argument(help: ArgumentHelp("A command or a topic.", valueName: "name"))
  var name: String?

  /// Width of the help, at most 80 columns for readability.
  private static var columns: Int { min(max(Standard.outputColumns, 40), 80) }

  func run(under root: any ParsableCommand.Type) throws {
    let topics = HelpTopic.all
    guard let name else {
      return try print(
        root.helpMessage(columns: Self.columns) + "\n\n" + topics.list(columns: Self.columns))
    }
    let commands = root.configuration.subcommands
    let topic = topics.first { $0.name == name }
    if topic == nil, let command = commands.first(where: { $0.configuration.commandName == name }) {
      throw CleanExit.helpRequest(command)
    }
    guard let topic else {
      let shown = commands.map { $0.configuration }.filter(\.shouldDisplay).compactMap(\.commandName)
      throw unknown(name, near: topics.map(\.name) + shown)
    }
    try print(try topic.text(of: root, columns: Self.columns))
  }

  private func print(_ text: String) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    try Standard.print(
      lines.map { String($0).harmless(in: Standard.glyphs) }.joined(separator: "\n"),
      terminator: text.hasSuffix("\n") ? "" : "\n")
  }

  private func unknown(_ name: String, near known: [String]) -> Failure {
    let hint = NearNames.hint(name, among: known)
    return Failure(
      .usage, "there is no command or topic \(printable(name))\(hint); `subtop help` lists both")
  }
}
