import ArgumentParser
import ReceiptStore
import Subscriptions

/// The data of each panel, as the dashboard asks for it.
struct Panels: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Time each panel's data.")

  @Argument(help: "The store's file.")
  var store: String

  @Option(help: "The as-of instant.")
  var at: String

  @Option(help: "How often each is asked, after once that does not count.")
  var runs = 9

  @Option(help: "Only this one.")
  var panel: Panel?

  func run() throws {
    guard let at = Instant(parsing: at) else { throw ValidationError("--at takes an instant.") }
    let store = try ReceiptStore(path: store, access: .readOnly)
    try Output.write(Memory.now)
    for panel in panel.map({ [$0] }) ?? Panel.allCases {
      let question = Question(panel: panel, at: at, limit: Question.screenLimit)
      try Output.write(Timing(panel.rawValue, runs: runs) { _ in _ = try store.report(question) })
    }
    try Output.write(Memory.now)
  }
}

extension Panel: ExpressibleByArgument {}
