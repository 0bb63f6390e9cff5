import ArgumentParser
import Dashboard
import ReceiptStore
import Screen
import Subscriptions

struct ReconcileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reconcile",
    abstract: "Compare the figures with Apple's downloaded reports, and explain the differences.",
    discussion: """
      First download daily reports from App Store Connect and import them: subtop import apple-reports FOLDER

      What the causes mean: subtop help reconcile
      """)

  enum Source: String, ExpressibleByArgument, CaseIterable {
    case subscription, events, subscriber, sales, finance
  }

  @Argument(help: "Figures to compare, such as billing_retry or sales. (default: all)")
  var figures: [ReconciledFigure] = []

  @Option(help: "Split by day, product, storefront or currency.")
  var by: ReconciledLine.Split?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Days (Pacific Time) up to the last report, all, or a calendar period such as 2026-09. (default: 28d)",
      valueName: "window"), transform: WindowChoice.init(option:))
  var window: WindowChoice = .days(28)

  @Option(
    help: ArgumentHelp("Compare the payouts of this fiscal month, such as 2026-02.", valueName: "month"))
  var fiscal: String?

  @Option(help: "Only figures of one kind of report: subscription, events, subscriber, sales or finance.")
  var source: Source?

  @Option(
    help: ArgumentHelp(
      "List what only Apple or only the store has: transactions or transaction_refunds.",
      valueName: "figure"))
  var rows: ReconciledFigure?

  @Flag(help: "List the anonymous customers of Apple's subscriber reports that the store lacks.")
  var missing = false

  @Flag(help: "Exit with 1 if an unexplained rest is larger than the tolerance.")
  var check = false

  @Option(
    help: ArgumentHelp("Largest rest that --check accepts, as a share of Apple's figure.", valueName: "0.5%"))
  var tolerance: Tolerance = Tolerance(share: 0.005)

  @Option(help: "table, json or csv.")
  var format = ReportFormat.table

  @OptionGroup var options: StoreOptions

  func validate() throws {
    guard rows == nil || rows?.source == .subscriber else {
      throw ValidationError("--rows is for transactions and transaction_refunds; other figures have no rows.")
    }
    guard !missing || rows == nil else { throw ValidationError("--missing cannot be combined with --rows.") }
    guard fiscal == nil || source == nil || source == .finance else {
      throw ValidationError("--fiscal is for --source finance.")
    }
    guard fiscal.map({ CivilMonth(parsing: $0) != nil }) ?? true else {
      throw ValidationError("--fiscal is a month of Apple's fiscal year, such as 2026-02.")
    }
    guard isOfPayouts else { return }
    guard by == nil, rows == nil, !missing else {
      throw ValidationError("Payouts of fiscal months cannot be combined with --by, --rows or --missing.")
    }
    guard figures.allSatisfy({ $0 == .payout }) else {
      throw ValidationError("Payouts of fiscal months cannot be combined with other figures.")
    }
  }

  /// Whether the payouts of fiscal months are compared instead of daily figures.
  private var isOfPayouts: Bool { fiscal != nil || source == .finance || figures.contains(.payout) }

  func run() throws {
    let configuration = try options.configuration()
    let store = try options.open(.readOnly)
    if isOfPayouts { return try printPayouts(configuration, store) }
    let asked = window.asked(
      Question(panel: .overview, at: options.at ?? SystemClock.now), in: .utc, since: nil)
    guard let reconciliation = try store.reconciliation(over: asked.window, asKnownAt: options.at) else {
      throw Failure(
        .noInput,
        "\(options.path) has no daily reports from Apple\(window == .days(28) ? "" : " for \(window.text)"); download them in "
          + "App Store Connect under Trends, and run `subtop import apple-reports FOLDER`")
    }
    if missing { return try print(ReconciliationText.missing(reconciliation)) }
    if let rows { return try print(ReconciliationText.unmatched(reconciliation, of: rows)) }
    let lines = reconciliation.lines(try wanted(), by: by)
    try print(ReconciliationText.figures(reconciliation, lines))
    try judge(lines)
  }

  private func wanted() throws -> [ReconciledFigure] {
    guard let source else { return figures }
    let ofSource = ReconciledFigure.allCases.filter { $0.source.rawValue == source.rawValue }
    guard !figures.isEmpty else { return ofSource }
    let both = figures.filter(ofSource.contains)
    guard !both.isEmpty else {
      throw Failure(
        .usage,
        "\(source) reports do not contain \(figures.map(\.rawValue).joined(separator: ", ")); omit --source"
      )
    }
    return both
  }

  private func judge(_ lines: [ReconciledLine]) throws {
    guard check else { return }
    guard lines.contains(where: { $0.apple != nil }) else {
      throw Failure(
        .noInput,
        "no imported report has these figures, so --check has nothing to compare; see `subtop help reconcile`"
      )
    }
    let over = lines.filter { line in line.restShare.map { $0 > tolerance.share } ?? false }
    guard !over.isEmpty else { return }
    let names = Set(over.map(\.figure.rawValue)).sorted().joined(separator: ", ")
    Standard.note(
      "unexplained differences exceed the tolerance, not counting days that may still change: \(names)\n")
    throw ExitCode(1)
  }

  private func printPayouts(_ configuration: ConfigurationFile, _ store: ReceiptStore) throws {
    let commission = configuration.smallBusinessProgram
    let payouts = try store.payouts(month: fiscal, asKnownAt: options.at, commission)
    guard !payouts.isEmpty else {
      throw Failure(
        .noInput,
        "\(options.path) has no finance report\(fiscal.map { " of \($0)" } ?? "") with transactions; download Finance Detail in "
          + "App Store Connect under Payments, and run `subtop import apple-reports FILE`")
    }
    try print(ReconciliationText.payouts(payouts))
    let over = payouts.filter { $0.restShare > tolerance.share }
    guard check, !over.isEmpty else { return }
    Standard.note(
      "unexplained differences exceed the tolerance: payouts in \(over.map(\.currency.rawValue).joined(separator: ", "))\n"
    )
    throw ExitCode(1)
  }

  private func print(_ text: ReconciliationText) throws {
    try format.print(text.json, csv: text.csv, table: text.table)
  }
}

/// Share of a figure, written `0.5%` or `0.005`.
struct Tolerance: ExpressibleByArgument {
  let share: Double

  init(share: Double) { self.share = share }

  init?(argument: String) {
    let isPercent = argument.hasSuffix("%")
    guard let number = Double(isPercent ? argument.dropLast() : argument[...]), number >= 0, number.isFinite
    else { return nil }
    share = isPercent ? number / 100 : number
  }

  var defaultValueDescription: String { "0.5%" }
}

extension ReconciledFigure: ExpressibleByArgument {}
extension ReconciledLine.Split: ExpressibleByArgument {}
