import ArgumentParser
import Dashboard
import ReceiptStore
import Subscriptions

struct ChainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chain",
    abstract: "Explain one customer's subscriptions: state, reason, transactions and renewal infos.")

  @Argument(
    help:
      "An app user id, app account token, app transaction id, original transaction id, transaction id or web order line item id."
  )
  var id: String

  @Option(help: "table or json.")
  var format = TableFormat.table

  @Flag(help: "Print only the data as signed by Apple, one item per line.")
  var signed = false

  @OptionGroup var zone: ZoneOption
  @OptionGroup var shared: SharedOption
  @OptionGroup var options: StoreOptions

  func validate() throws {
    guard !(signed && shared.shared) else {
      throw ValidationError("signed originals are not published; --signed cannot be combined with --shared.")
    }
  }

  func run() throws {
    let configuration = try options.configuration()
    let zone = try zone.zone(configuration)
    let store = try shared.open(configuration, at: options.at) ?? options.open(.readOnly)
    let at = options.at ?? SystemClock.now
    let program = configuration.smallBusinessProgram
    if signed { return try printSigned(store) }
    let found = try store.chains(matching: id, at: at, asKnownThen: options.at != nil, program: program)
    guard !found.isEmpty else {
      if let now = options.at,
        try !store.chains(matching: id, at: SystemClock.now).isEmpty
      {
        throw Failure(
          .noInput,
          "nothing was known about \(printable(id)) at \(now.minuteText) UTC, because its first answer came later; omit --at, or "
            + "pass a later instant")
      }
      throw Failure(
        .noInput,
        "nothing in \(store.path) has the id \(printable(id)); "
          + (store.isShared ? "it may not have been published yet" : "import or sweep its receipt first"))
    }
    if format == .table, let state = store.shared { Standard.note(state.head + "\n") }
    let json: any Encodable = found.count == 1 ? found[0] : found
    try format.print(json) {
      text(of: found, at: at, isOfPast: options.at != nil, width: $0, glyphs: $1, zone: zone)
    }
  }

  private func printSigned(_ store: ReceiptStore) throws {
    let rows = try store.signedRows(matching: id)
    guard !rows.isEmpty else {
      throw Failure(.noInput, "\(options.path) has no signed data with the id \(printable(id))")
    }
    try Standard.print(rows.map(\.text).joined(separator: "\n"))
  }
}
