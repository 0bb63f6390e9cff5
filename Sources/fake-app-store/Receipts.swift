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
    for receipt in store.receipts(at: now) { print(receipt.jsonLine) }
  }
}
