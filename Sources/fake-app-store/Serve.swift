import ArgumentParser
import FakeAppStore
import Glibc

struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Serve verifyReceipt (the default).")

  @OptionGroup var population: PopulationOptions

  @Option(help: ArgumentHelp("The port on 127.0.0.1; 0 takes a free one.", valueName: "n"))
  var port = 8765

  @Option(help: ArgumentHelp("How fast the clock goes: 86400 is a day a second.", valueName: "x"))
  var clockSpeed = 1.0

  @Option(help: ArgumentHelp("The secret that requests must bear.", valueName: "secret"))
  var sharedSecret = FakeStore.defaultSharedSecret

  @Option(
    name: .customLong("fault"), parsing: .singleValue,
    help: ArgumentHelp("Let this go wrong so often, from 0 to 1. May be repeated.", valueName: "kind=rate"))
  var faults: [FaultRate] = []

  @Option(help: ArgumentHelp("Milliseconds that every answer takes longer.", valueName: "ms"))
  var latency: Int64 = 0

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port takes a number from 0 to 65535.") }
    guard (0...1e9).contains(clockSpeed) else {
      throw ValidationError("--clock-speed takes 0 or a positive number.")
    }
    guard (0...600_000).contains(latency) else {
      throw ValidationError("--latency takes 0 to 600000 milliseconds.")
    }
  }

  func run() throws {
    var configuration = FakeAppStoreConfiguration(clock: population.clock(speed: clockSpeed))
    configuration.subscribers = population.subscribers
    configuration.seed = population.seed
    configuration.port = port
    configuration.sharedSecret = sharedSecret
    configuration.faults = faults
    configuration.latency = latency
    configuration.receiptPadding = population.receiptPadding
    let server = FakeAppStoreServer(configuration)
    let port = try server.start()
    print("listening on http://127.0.0.1:\(port)")
    fflush(nil)
    // Signals end the process, as nothing of it is worth keeping.
    while true { pause() }
  }
}
