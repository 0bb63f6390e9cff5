import ArgumentParser
import FakeAppStore
import Subscriptions

struct Customers: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print ids of customers with a number of rows, as `subtop import ids` reads them.")

  @Option(help: "Number of subscribers.")
  var subscribers: Int

  @Option(help: "Start of the population, and instant of the answers.")
  var start: String

  @Option(help: "Number of rows in the history of each customer.")
  var rows: Int

  @Option(help: "Maximum number to print.")
  var count: Int

  func run() throws {
    guard let at = Instant(parsing: start) else { throw ValidationError("--start takes an instant.") }
    var left = count
    for subscriber in FakePopulation(subscribers: subscribers, founded: at).subscribers where left > 0 {
      guard subscriber.environment == .production, subscriber.accountGoneFrom == nil else { continue }
      let history = subscriber.history(until: at)
      guard history.transactions.count + history.oneTime.count == rows, history.renewalInfos.count == 1,
        let chain = history.transactions.first?.originalTransactionID
      else { continue }
      let line = "{\"original_transaction_id\":\"\(chain)\",\"bundle_id\":\"\(subscriber.bundleID)\"}\n"
      try Output.write(Array(line.utf8))
      left -= 1
    }
  }
}
