import ArgumentParser
import ReceiptStore
import Subscriptions

struct Panels: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Time each panel's data.")

  @Argument(help: "The store's file.")
  var store: String

  @Option(help: "The as-of instant.")
  var at: String

  @Option(help: "How often each is asked, after once that does not count.")
  var runs = 9

  @Option(
    help: "By how many milliseconds the as-of instant goes on from one run to the next, as a clock does.")
  var step: Int64 = 1000

  @Option(help: "Only this one.")
  var panel: Panel?

  func run() throws {
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
