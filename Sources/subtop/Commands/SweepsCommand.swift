import ArgumentParser
import Dashboard
import ReceiptStore
import Subscriptions

struct SweepsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweeps",
    abstract: "List past and running sweeps: who started them, what they brought, how they ended.")

  @Option(
    parsing: .unconditional, help: "Sweeps at the most, the newest first. (default: 20)",
    transform: WrittenNumber.whole(1...Int.max))
  var limit = 20

  @Option(help: "table or json.")
  var format = TableFormat.table

  @OptionGroup var options: StoreOptions

  func run() throws {
    _ = try options.configuration()
    let store = try options.open(.readOnly)
    let now = options.at ?? SystemClock.now
    let sweeps = try withStoreFailures(store.sweeps(limit: limit, at: now))
    switch format {
    case .table: try Standard.print { text(of: sweeps, at: now, width: $0, glyphs: $1) }
    case .json: try Standard.print(jsonText(sweeps))
    }
  }
}
