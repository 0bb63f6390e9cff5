import ArgumentParser
import CProcess
import Dashboard
import Glibc
import Logging
import ReceiptStore
import Screen
import Subscriptions
import Sweep

@main
struct Subtop: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "subtop",
    abstract: "top for subscriptions: App Store subscription figures in a terminal, traceable to their rows.",
    discussion: """
      Checks customers and stored receipts with Apple in the background, through the App Store Server API or \
      verifyReceipt. All data is in one SQLite file on this machine.

          subtop demo    try it without an account
          subtop help    list every command and topic
      """,
    version: ProgramVersion.text,
    subcommands: [
      DashboardCommand.self, DemoCommand.self, ImportCommand.self, SweepCommand.self, SweepsCommand.self,
      BackfillCommand.self, FetchCommand.self, ListenCommand.self, PublishCommand.self, ReportCommand.self,
      ReconcileCommand.self, ChainCommand.self, StatusCommand.self, BackupCommand.self, RestoreCommand.self,
      DoctorCommand.self,
      ConfigCommand.self,
      ManualCommand.self, HelpCommand.self,
    ],
    defaultSubcommand: DashboardCommand.self)

  static func main() {
    MissingDescriptors.fill()
    process_say_little_of_crashes()
    CurlEnvironment.forbidKeyLogs()
    TimeZones.takeEnvironment()
    // If the reader of a pipe is gone, writing fails with an error instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    // Writing to a file at its size limit also fails with an error.
    signal(SIGXFSZ, SIG_IGN)
    LogFile.bootstrap()
    do {
      if let problem = GivenText.problem(ofArguments: CommandLine.unsafeArgv, count: CommandLine.argc) {
        throw Failure(.usage, problem)
      }
      var command = try parseAsRoot(
        GivenText.withHelpAsCommand(Array(CommandLine.arguments.dropFirst())))
      if let command = command as? any ProgramCommand {
        try command.run(under: Self.self)
      } else {
        try command.run()
      }
    } catch {
      if let failure = Failure(error) { end(failure) }
      refuse(error)
    }
  }

  private static func end(_ failure: Failure) -> Never {
    if !failure.message.isEmpty { Standard.complain(failure.message) }
    if failure.code != .usage, !failure.message.isEmpty { Logger.subtop.error("\(failure.message)") }
    Glibc.exit(failure.code.rawValue)
  }

  /// Prints help, or an error of ArgumentParser without control characters, because it quotes the arguments.
  private static func refuse(_ error: any Error) -> Never {
    let code = exitCode(for: error)
    guard code != .success else {
      // `exit(withError:)` would ignore a failed write.
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

struct ManualCommand: ProgramCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page, for `make install`.", shouldDisplay: false)

  func run(under root: any ParsableCommand.Type) throws {
    try Standard.print(try ManualPage.text(of: root), terminator: "")
  }
}

/// Standard descriptors that the parent process closed.
enum MissingDescriptors {
  /// Opens /dev/null for each closed descriptor; otherwise a file could get its number and receive messages.
  ///
  /// Reads and writes still fail, as in glibc for set-user-ID programs.
  static func fill() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      // `open` returns the lowest free descriptor.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// Advice for a word that the default command rejects: a misspelt command, or a command after options.
enum MisplacedCommand {
  static func advice(on problem: String, _ arguments: [String], commands: [String]) -> String? {
    guard problem.contains("nexpected argument"), let first = arguments.first, !commands.contains(first),
      !first.isEmpty
    else {
      return nil
    }
    guard first.hasPrefix("-") else {
      let hint = NearNames.hint(first, among: commands)
      return "There is no command \(printable(first))\(hint). `subtop help` lists all."
    }
    return arguments.first(where: commands.contains).map {
      "Options go after the command: start with `subtop \($0)`."
    }
  }
}

struct SweepsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweeps",
    abstract: "List past and running sweeps: who started them, their results, how they ended.")

  @Option(
    parsing: .unconditional, help: "Maximum number of sweeps, newest first. (default: 20)",
    transform: WrittenNumber.whole(1...Int.max))
  var limit = 20

  @Option(help: "table or json.")
  var format = TableFormat.table

  @OptionGroup var options: StoreOptions

  func run() throws {
    _ = try options.configuration()
    let store = try options.open(.readOnly)
    let now = options.at ?? SystemClock.now
    let sweeps = try store.sweeps(limit: limit, at: now)
    try format.print(sweeps) { text(of: sweeps, at: now, width: $0, glyphs: $1) }
  }
}

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Print every configuration key with its value and an explanation.",
    discussion: """
      To create a configuration file:

          subtop config --print > ~/.config/subtop/config.toml
      """)

  @Flag(help: "Print the defaults. (default)")
  var print = false

  @Flag(help: "Print the values in force: those of the configuration file, and defaults for the rest.")
  var effective = false

  @OptionGroup var file: ConfigurationOption

  func validate() throws {
    guard !(print && effective) else { throw ValidationError("Give only one of --print and --effective.") }
    guard effective || file.config == nil else {
      throw ValidationError("--config is only for --effective; the defaults do not depend on a file.")
    }
  }

  func run() throws {
    var text = ConfigurationText.standard
    if effective {
      let read = try ConfigurationFile(path: file.config)
      if let table = try ConfigurationTable(file: read.path) { text = try ConfigurationText.effective(table) }
    }
    // A value may be a secret in the wrong place.
    try Standard.print(text.withoutSecrets, terminator: "")
  }
}
