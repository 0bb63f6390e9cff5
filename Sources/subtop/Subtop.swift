import ArgumentParser
import CProcess
import Glibc
import Logging
import Screen
import Subscriptions
import Sweep

@main
struct Subtop: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subtop",
    abstract: "top for subscriptions: App Store subscription figures in a terminal, traceable to their rows.",
    discussion: """
      Customers and stored receipts are revalidated with Apple in the background, through the App Store Server API \
      or verifyReceipt; everything is kept in one SQLite file on this machine.

          subtop demo    try it without an account
          subtop help    list every command and topic
      """,
    version: ProgramVersion.text,
    subcommands: [
      DashboardCommand.self, DemoCommand.self, ImportCommand.self, SweepCommand.self, SweepsCommand.self,
      BackfillCommand.self, ListenCommand.self, ReportCommand.self,
      ChainCommand.self, StatusCommand.self, BackupCommand.self, RestoreCommand.self, DoctorCommand.self,
      ConfigCommand.self,
      ManualCommand.self, HelpCommand.self,
    ],
    defaultSubcommand: DashboardCommand.self)

  static func main() {
    MissingDescriptors.fill()
    process_say_little_of_crashes()
    CurlEnvironment.forbidKeyLogs()
    TimeZones.takeEnvironment()
    // A reader that goes away ends a write with an error instead of the process.
    signal(SIGPIPE, SIG_IGN)
    // So does a file that may not grow.
    signal(SIGXFSZ, SIG_IGN)
    LogFile.bootstrap()
    do {
      if let problem = GivenText.problem(ofArguments: CommandLine.unsafeArgv, count: CommandLine.argc) {
        throw Failure(.usage, problem)
      }
      var command = try parseAsRoot(
        GivenText.withHelpAsCommand(Array(CommandLine.arguments.dropFirst())))
      try ProcessLimits.check()
      if let command = command as? any ProgramCommand {
        try command.run(under: Self.self)
      } else {
        try command.run()
      }
    } catch let failure as Failure {
      end(failure)
    } catch {
      refuse(error)
    }
  }

  private static func end(_ failure: Failure) -> Never {
    if !failure.message.isEmpty { Standard.complain(failure.message) }
    if failure.code != .usage, !failure.message.isEmpty { Logger.subtop.error("\(failure.message)") }
    Glibc.exit(failure.code.rawValue)
  }

  /// Help goes out as it is; what is wrong with the arguments quotes them.
  private static func refuse(_ error: any Error) -> Never {
    let code = exitCode(for: error)
    guard code != .success else {
      // As `exit(withError:)` does, which does not notice that nothing could be written.
      do throws(Failure) {
        try Standard.print(fullMessage(for: error))
      } catch {
        end(error)
      }
      Glibc.exit(code.rawValue)
    }
    var lines = fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    let problem = message(for: error)
    let commands = configuration.subcommands.compactMap { $0.configuration.commandName }
    if let advice = MisplacedCommand.advice(
      on: problem, Array(CommandLine.arguments.dropFirst()), commands: commands)
    {
      lines.insert(advice, at: 1)
    }
    for line in lines { Standard.note(line.harmless(in: Standard.glyphs) + "\n") }
    Glibc.exit(code.rawValue)
  }
}
