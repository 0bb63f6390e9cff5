import ArgumentParser

struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page, for `make install`.", shouldDisplay: false)

  func run() throws { try Standard.print(try ManualPage().text, terminator: "") }
}
