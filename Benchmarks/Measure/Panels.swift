import ArgumentParser
import ReceiptStore
import Sharing
import Subscriptions

struct Panels: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Time each panel's data.")

  @Argument(help: "The store's file.")
  var store: String

  @Option(help: "The as-of instant.")
  var at: String

  @Option(help: "Number of runs of each panel, after a warm-up run.")
  var runs = 9

  @Option(
    help: "Milliseconds that the as-of instant advances between runs.")
  var step: Int64 = 1000

  @Option(help: "Connection string of a team's server, to ask it instead of the store.")
  var server: String?

  @Option(help: "Schema of the team.")
  var schema = "subtop"

  @Option(help: "Measure only this panel.")
  var panel: Panel?

  /// Times each panel from published rows; the first run also connects and fetches them.
  private func askServer(_ connection: String) throws {
    for panel in panel.map({ [$0] }) ?? Panel.allCases {
      let server = SharedServer(connection: connection, schema: schema, part: "")
      let store = try SharedRows(server).open()
      try Output.write(
        Timing(panel.rawValue, runs: runs) { _ in
          let at = try store.readShared()?.at ?? .distantPast
          _ = try store.report(Question(panel: panel, at: at, limit: Question.screenLimit))
        })
    }
  }

  func run() throws {
    if let server { return try askServer(server) }
    guard let at = Instant(parsing: at) else { throw ValidationError("--at takes an instant.") }
    let store = try ReceiptStore(path: store, access: .readOnly)
    try Output.write(Memory.now)
    for panel in panel.map({ [$0] }) ?? Panel.allCases {
      try Output.write(
        Timing(panel.rawValue, runs: runs) { run in
          let t = at + Int64(run) * step
          _ = try store.report(Question(panel: panel, at: t, limit: Question.screenLimit))
        })
    }
    try Output.write(Memory.now)
  }
}

extension Panel: ExpressibleByArgument {}
