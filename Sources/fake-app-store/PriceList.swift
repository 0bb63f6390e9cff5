import ArgumentParser
import FakeAppStore

struct PriceList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalog", abstract: "Print the price catalogue as CSV, as `subtop import catalog` reads it."
  )

  func run() throws { try Output.write(FakeCatalog.csv) }
}
