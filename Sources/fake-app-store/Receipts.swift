import ArgumentParser
import FakeAppStore

struct Receipts: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the population's receipts as JSON Lines, as `subtop import receipts` reads them.")

  @OptionGroup var population: PopulationOptions

  func run() throws {
    let now = population.clock(speed: 0).now
    let store = FakeStore(
      population: population.people(at: now), receiptPadding: population.receiptPadding)
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
