import ArgumentParser
import Dashboard
import ReceiptStore
import Subscriptions

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract:
      "Show the store's health: receipts, lines, freshness, what is due and what that costs, the last sweep.")

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, json
  }

  @Flag(help: "Let SQLite check the whole file too.")
  var check = false

  @Flag(
    help:
      "First make everything that is derived from answers anew: lines, events, and what figures are read from."
  )
  var rebuild = false

  @Option(help: "table or json.")
  var format = Format.table

  @OptionGroup var options: StoreOptions

  func run() throws {
    let configuration = try options.configuration()
    let policy = configuration.duePolicy
    if rebuild { try makeAnew(options.open(.existing, policy: policy), configuration.reportingCurrency) }
    let store = try options.open(.readOnly, policy: policy)
    let at = options.at ?? SystemClock.now
    let status = try withStoreFailures { () throws(StoreError) in
      try store.status(at: at, check: check, withQueue: true)
    }
    switch format {
    case .table: try Standard.print(text(of: status, width: Standard.outputColumns, glyphs: Standard.glyphs))
    case .json: try Standard.print(jsonText(status))
    }
    if check {
      for leftover in ReceiptStore.leftovers(beside: options.path) {
        Standard.complain(
          "\(leftover.harmless(in: Standard.glyphs)) is an unfinished copy that a killed backup or restore left; remove it, or let the "
            + "next of the same name do so")
      }
    }
    if let integrity = status.integrity, integrity != "ok" {
      throw Failure(.store, "the store \(options.path) is damaged; \(StoreError.mending(options.path))")
    }
  }

  private func makeAnew(_ store: ReceiptStore, _ reporting: CurrencyCode?) throws {
    let meter = RebuildMeter("rebuilding the store")
    defer { meter.end() }
    try withStoreFailures { () throws(StoreError) in
      try store.rebuild(reporting: reporting, progress: meter.watch)
    }
  }
}
