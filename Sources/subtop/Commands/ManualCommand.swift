import ArgumentParser

struct ManualCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page, for `make install`.", shouldDisplay: false)

  func run(under root: any ParsableCommand.Type) throws {
    try Standard.print(try ManualPage(of: root).text, terminator: "")
  }
}
