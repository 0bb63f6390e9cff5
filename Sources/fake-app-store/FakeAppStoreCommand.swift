import ArgumentParser
import CProcess
import FakeAppStore
import Subscriptions

@main
struct FakeAppStoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fake-app-store",
    abstract: "An App Store on loopback, with made-up subscribers.",
    discussion: """
      Serves POST /verifyReceipt, the App Store Server API below /inApps and Apple's reports below /v1 on 127.0.0.1, \
      and the sandbox's below /sandbox. The subcommands print receipts and prices to import, and write Apple's \
      reports; pass them the same --subscribers, --seed and --start. \
      `fake-app-store help serve` lists the faults that it can inject.
      """,
    version: String(cString: process_version()),
    subcommands: [Serve.self, Receipts.self, PriceList.self, AppleReports.self], defaultSubcommand: Serve.self
  )

  static func main() {
    if let problem = GivenText.problem(ofArguments: CommandLine.unsafeArgv, count: CommandLine.argc) {
      exit(withError: ValidationError(problem))
    }
    do {
      var command = try parseAsRoot(GivenText.withHelpAsCommand(Array(CommandLine.arguments.dropFirst())))
      try command.run()
    } catch {
      exit(withError: error)
    }
  }
}

struct PriceList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalog", abstract: "Print the price catalogue as CSV, for `subtop import catalog`."
  )

  func run() throws { try Output.write(FakeCatalog.csv) }
}

struct Receipts: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the subscribers' receipts as JSON Lines, for `subtop import receipts`.")

  @OptionGroup var population: PopulationOptions

  func run() throws {
    let now = population.clock(speed: 0).now
    let store = FakeStore(population: population.people(at: now))
    var page = ""
    for receipt in store.receipts(at: now) {
      page += receipt.jsonLine + "\n"
      guard page.utf8.count > 1 << 16 else { continue }
      try Output.write(page)
      page = ""
    }
    try Output.write(page)
  }
}
