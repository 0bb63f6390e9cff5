import ArgumentParser
import CProcess
import Subscriptions

/// `fake-app-store`: an App Store on loopback.
@main
struct FakeAppStoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fake-app-store",
    abstract: "An App Store on loopback, with subscribers that were never born.",
    discussion: """
      Serves POST /verifyReceipt and the App Store Server API below /inApps on 127.0.0.1, and those of the sandbox below \
      /sandbox. The receipts to ask about, and the \
      prices, are printed by the subcommands; give `receipts` the same --subscribers and --seed. What can go wrong on \
      request is listed by `fake-app-store help serve`.
      """,
    version: String(cString: process_version()),
    subcommands: [Serve.self, Receipts.self, PriceList.self], defaultSubcommand: Serve.self)

  static func main() {
    if let problem = GivenText.problem(ofArguments: CommandLine.unsafeArgv, count: CommandLine.argc)
      ?? problemOfHelp
    {
      exit(withError: ValidationError(problem))
    }
    main(nil)
  }

  /// ArgumentParser's own `help` takes any word for the name of the program.
  private static var problemOfHelp: String? {
    let words = CommandLine.arguments.dropFirst(2)
    let commands = configuration.subcommands.map { $0._commandName }
    guard CommandLine.arguments.dropFirst().first == "help", let first = words.first, !first.hasPrefix("-"),
      words.count > 1 || !commands.contains(first)
    else { return nil }
    let name = words.joined(separator: " ")
    let advice = "give one of \(commands.joined(separator: ", ")), or none for the list"
    return BlankValue.problem(name, "the name", advice) ?? "there is no command \(printable(name)); \(advice)"
  }
}
