import ArgumentParser
import FakeAppStore
import Glibc
import Subscriptions

struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve verifyReceipt and the Server API (the default).",
    discussion: "Kinds of --fault:\n\n\(FaultOption.kinds)")

  @OptionGroup var population: PopulationOptions

  @Option(
    parsing: .unconditional, help: "The port on 127.0.0.1; 0 selects a free one. (default: 8765)",
    transform: WrittenNumber.whole(0...65_535))
  var port = 8765

  @Option(
    parsing: .unconditional, help: "Speed of the clock; 86400 is a day per second. (default: 1)",
    transform: WrittenNumber.decimal(0...1e9))
  var clockSpeed = 1.0

  @Option(help: "Secret that requests must contain.")
  var sharedSecret = FakeStore.defaultSharedSecret

  @OptionGroup(title: "Server API") var serverAPI: ServerAPIOptions

  @Option(
    name: .customLong("fault"), parsing: .singleValue,
    help: "Inject a fault at this rate, from 0 to 1. May be repeated.", transform: FaultOption.read)
  var faults: [[FaultRate]] = []

  @Option(
    parsing: .unconditional, help: "Seconds in Retry-After. (default: 1)",
    transform: WrittenNumber.whole(0...86_400))
  var retryAfter = 1

  @Option(
    parsing: .unconditional, help: "Milliseconds to delay every answer. (default: 0)",
    transform: WrittenNumber.whole(0...600_000))
  var latency: Int64 = 0

  func run() throws {
    let server = FakeAppStoreServer(configuration)
    let port = try server.start()
    server.postNotifications()
    try serverAPI.writeFiles(of: server)
    print("listening on http://127.0.0.1:\(port)")
    fflush(nil)
    // A signal ends the process. There is nothing to save.
    while true { pause() }
  }

  private var configuration: FakeAppStoreConfiguration {
    var configuration = FakeAppStoreConfiguration(clock: population.clock(speed: clockSpeed))
    (configuration.subscribers, configuration.seed) = (population.subscribers, population.seed)
    (configuration.apps, configuration.stories) = (population.apps, population.stories)
    configuration.missingFromStore = Set(population.missing)
    (configuration.port, configuration.latency) = (port, latency)
    configuration.sharedSecret = sharedSecret
    serverAPI.set(&configuration)
    configuration.faults = faults.flatMap(\.self)
    configuration.faultSettings.retryAfter = retryAfter
    return configuration
  }
}

/// Values of `--fault`: `KIND=RATE`, or `all=RATE` for a rate shared by all faults that a retry can overcome.
enum FaultOption {
  @Sendable static func read(_ argument: String) throws -> [FaultRate] {
    if argument.hasPrefix("all="), let rate = Double(argument.dropFirst(4)), (0...1).contains(rate) {
      return .sharing(rate, among: Fault.allCases.filter { !$0.isFinal })
    }
    guard let rate = FaultRate(parsing: argument) else {
      throw ValidationError(
        "pass KIND=RATE, such as reset=0.1, rate 0 to 1; `fake-app-store help serve` lists the kinds")
    }
    return [rate]
  }

  static var kinds: String {
    let width = Fault.allCases.map(\.name.count).max() ?? 0
    let lines = Fault.allCases.map { fault in
      "  " + fault.name + String(repeating: " ", count: width + 2 - fault.name.count) + fault.summary
    }
    return lines.joined(separator: "\n") + """

        \("all") \(String(repeating: " ", count: max(0, width - 2)))all kinds after which a retry can succeed

      Other statuses of verifyReceipt, 21000 to 21010 and 21100 to 21199, are kinds too.
      """
  }
}
