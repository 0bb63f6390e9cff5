import ArgumentParser
import Glibc
import Logging

@main
struct Subtop: ParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "subtop",
    abstract: "top for subscriptions: App Store subscription figures in a terminal, traceable to their rows.",
    discussion: """
      Stored receipts are revalidated with Apple's verifyReceipt in the background; everything is kept in one SQLite \
      file on this machine.

      Try it without an account:  subtop demo
      """,
    version: version,
    subcommands: [
      DashboardCommand.self, DemoCommand.self, ImportCommand.self, SweepCommand.self, SweepsCommand.self,
      ReportCommand.self,
      ChainCommand.self, StatusCommand.self, BackupCommand.self, ConfigCommand.self, ManualCommand.self,
    ],
    defaultSubcommand: DashboardCommand.self)

  static func main() {
    // A reader that goes away ends a write with an error instead of the process.
    signal(SIGPIPE, SIG_IGN)
    LogFile.bootstrap()
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let failure as Failure {
      if !failure.message.isEmpty { Standard.complain(failure.message) }
      if failure.code != .usage, !failure.message.isEmpty { Logger.subtop.error("\(failure.message)") }
      Glibc.exit(failure.code.rawValue)
    } catch {
      refuse(error)
    }
  }

  /// Help goes out as it is; what is wrong with the arguments quotes them.
  private static func refuse(_ error: any Error) -> Never {
    let code = exitCode(for: error)
    guard code != .success else { exit(withError: error) }
    for line in fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false) {
      Standard.note(String(line).harmless(in: Standard.glyphs) + "\n")
    }
    Glibc.exit(code.rawValue)
  }
}
