import ArgumentParser
import Dashboard
import ReceiptStore
import Subscriptions

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Print a panel's figures: a table for people, JSON or CSV for programs.")

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, json, csv
  }

  @Argument(help: "One of overview, active, billing-retry, churn, refunds, upgrades and events.")
  var panel: Panel

  @Option(help: ArgumentHelp("Days up to the as-of instant that changes are counted in.", valueName: "28d"))
  var window: WindowDays?

  @Option(help: ArgumentHelp("Only this product; may be repeated.", valueName: "id"))
  var product: [ProductID] = []

  @Option(help: "Rows of a list at the most; counts and sums are always of all.")
  var limit = 1000

  @Option(help: "table, json or csv.")
  var format = Format.table

  @OptionGroup var options: StoreOptions

  func validate() throws {
    guard limit >= 0 else { throw ValidationError("The limit is a number from 0.") }
  }

  func run() throws {
    let store = try options.open(.readOnly)
    var question = Question(
      panel: panel, at: options.at ?? SystemClock.now, windowDays: window?.days ?? 28,
      environment: options.environment, products: Set(product), limit: limit)
    question.asKnownThen = options.at != nil
    let asked = question
    let report = try withStoreFailures { () throws(StoreError) in try store.report(asked) }
    try ReportCommand.print(report, as: format)
  }

  static func print(_ report: Report, as format: Format) throws {
    switch format {
    case .table: try Standard.print(text(of: report, width: Standard.outputColumns, glyphs: Standard.glyphs))
    case .json: try Standard.print(jsonText(report))
    case .csv: try Standard.print(report.csv, terminator: "")
    }
  }
}
