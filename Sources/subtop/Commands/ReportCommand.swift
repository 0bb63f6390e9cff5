import ArgumentParser
import Dashboard
import ReceiptStore
import Subscriptions

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Print a panel's figures as a table, JSON or CSV.",
    discussion: "Names and meanings of figures: subtop help figures")

  @Argument(help: "One of \(Panel.allCases.map(\.rawValue).joined(separator: ", ")).")
  var panel: Panel

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Window in which changes are counted: days, all, month (to date), last-month, 2026-09, 2026-Q3 or 2026. (default: 28d)",
      valueName: "window"), transform: WindowChoice.init(option:))
  var window: WindowChoice = .days(28)

  @Option(help: ArgumentHelp("Only this product. May be repeated.", valueName: "id"))
  var product: [ProductID] = []

  @Option(
    help: ArgumentHelp(
      "Only this storefront: USA, or unknown. For panels in which every figure has a storefront.",
      valueName: "code"))
  var storefront: StorefrontScope?

  @Option(
    help: ArgumentHelp(
      "For cohorts: only subscriptions first paid with this offer: intro, standard, promo:SPRING, code:FRIEND, winback.",
      valueName: "offer"))
  var offer: OfferScope?

  @Option(
    help: ArgumentHelp(
      "For movement: split it by week, month, product, storefront, kind or currency.",
      valueName: "split"))
  var by: MovementSplit?

  @Option(
    parsing: .unconditional,
    help:
      "Maximum number of rows in a list. Counts and sums cover all rows; only the events panel's counts by type are limited, too. (default: 1000)",
    transform: WrittenNumber.whole(0...Int.max))
  var limit = 1000

  @Flag(
    help:
      "Print the subscriptions and transactions behind the figures instead of the figures (json: both)."
  )
  var rows = false

  @Option(
    help: ArgumentHelp(
      "Print only the rows behind this figure, named by its path in the JSON's data: paid, by_intent.1.paid, renewals.P1M.due.",
      valueName: "name"))
  var figure: String?

  @Option(
    help: ArgumentHelp(
      "Compare with the previous window, the same days a year earlier, or another product:ID, storefront:CODE, offer:NAME, cohort:MONTH or environment:NAME.",
      valueName: "before|year|KIND:NAME"))
  var compare: Comparison?

  @OptionGroup var zone: ZoneOption

  @Option(help: "table, json or csv.")
  var format = ReportFormat.table

  @OptionGroup var shared: SharedOption
  @OptionGroup var options: StoreOptions

  func validate() throws {
    guard storefront == nil || panel.hasStorefronts else {
      let known = Panel.allCases.filter(\.hasStorefronts).map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        "Not every figure of \(panel.rawValue) has a storefront; --storefront is for \(known).")
    }
    guard offer == nil || panel == .cohorts else { throw ValidationError("--offer is only for cohorts.") }
    guard offer.map({ !$0.contains(.trial, nil) }) ?? true else {
      throw ValidationError(
        "A trial is not paid, and --offer is for the first paid offer; pass one such as standard or intro.")
    }
    if let compare { try validate(compare) }
    guard by == nil || panel == .movement else {
      throw ValidationError("--by is only for movement.")
    }
    if let problem = figure.flatMap(panel.problem(withFigure:)) { throw ValidationError(problem) }
  }

  func run() throws {
    let configuration = try options.configuration()
    let zone = try zone.zone(configuration)
    let store = try shared.open(configuration, at: options.at) ?? options.open(.readOnly)
    let state = try store.isShared ? store.readShared() : nil
    if let state, format == .table { Standard.note(state.head + "\n") }
    var question = Question(
      panel: panel, at: state?.at ?? options.at ?? SystemClock.now, environment: options.environment,
      products: Set(product), limit: limit)
    guard window.hasBegun(at: question.at, in: zone) else {
      throw Failure(
        .usage,
        "\(window.text) begins after \(zone.minute(question.at)) \(zone.name); pass an earlier --window")
    }
    question.storefronts = storefront ?? .all
    question.offers = offer ?? .all
    question.split = by
    question.asKnownThen = options.at != nil
    question = try window.asked(question, in: zone, since: window == .all ? store.firstPurchase() : nil)
    question.smallBusinessProgram = configuration.smallBusinessProgram
    question.reportingCurrency = configuration.reportingCurrency
    try adviseToRebuild(question.reportingCurrency, store)
    if let compare { return try print(compare, of: question, store, zone) }
    try complainOfUnknown(question, store)
    let report = try store.report(question)
    if format == .csv { complainOfLimit(report.data) }
    // Events are already rows.
    guard rows || figure != nil, panel != .events else {
      return try format.print(report, csv: report.csv()) {
        text(of: report, width: $0, glyphs: $1, zone: zone)
      }
    }
    let path = figure.flatMap { FigurePath($0, of: panel) }
    let found = try store.rows(behind: path.map(question.narrowed) ?? question, figure: path?.name)
    if format == .csv { complain(ofLimited: found.rows.count, of: found.count) }
    let members: [String: any Encodable] = ["figure": figure, "rowsCount": found.count, "rows": found.rows]
    try format.print(JSONObject(value: report, members: members), csv: found.csv()) {
      text(of: found, of: report, figure: figure, width: $0, glyphs: $1, zone: zone)
    }
  }

  /// Warns about unknown names, whose figures would be 0.
  private func complainOfUnknown(_ question: Question, _ store: ReceiptStore) throws {
    guard !question.products.isEmpty || question.storefronts != .all || question.offers != .all else {
      return
    }
    let known = try store.knownNames()
    for unknown in question.unknown(among: known) {
      Standard.complain(unknown.whatIsMissing(in: store.path, known))
    }
  }

  /// Warns if a list is truncated in CSV; unlike CSV, a table has a note about this, and JSON has counts.
  private func complainOfLimit(_ figures: FigureValues) {
    switch panel {
    case .events: complain(ofLimited: figures.events.count, of: figures["count"])
    case .billingRetry where !rows && figure == nil:
      complain(ofLimited: figures.unpaid.count, of: figures["lines"])
    case .upgrades where !rows && figure == nil:
      complain(ofLimited: figures.upgrades.count, of: figures.upgradesAtOnce)
    default: break
    }
  }

  private func complain(ofLimited count: Int, of all: Int) {
    guard count < all else { return }
    Standard.complain(
      "\(CountText.of(count)) of \(CountText.of(all)) rows; --limit \(all) prints all")
  }

  private func validate(_ comparison: Comparison) throws {
    guard !rows, figure == nil else {
      throw ValidationError("--compare cannot be combined with --rows or --figure.")
    }
    if let problem = comparison.problem(with: panel) { throw ValidationError(problem) }
  }

  private func print(
    _ comparison: Comparison, of question: Question, _ store: ReceiptStore, _ zone: Zone
  ) throws {
    let known = try store.knownNames()
    if let unknown = comparison.unknown(among: known) {
      throw Failure(.noInput, unknown.sentence(in: store.path, known))
    }
    let reports = try ComparedReports(
      comparison, store.report(comparison.this(question)), store.report(comparison.that(question)),
      firstPurchase: store.firstPurchase())
    if let missing = reports.missing { throw Failure(.noInput, missing) }
    try format.print(reports.json, csv: reports.csv) { text(of: reports, width: $0, glyphs: $1, zone: zone) }
  }

  /// Warns if the store has no totals in the reporting currency, which makes reports slow.
  private func adviseToRebuild(_ currency: CurrencyCode?, _ store: ReceiptStore) throws {
    guard let currency else { return }
    let kept = try store.reportingCurrency()
    guard kept != currency, !store.isShared else { return }
    Standard.complain(
      "the store has no totals in \(currency)\(kept.map { ", only in \($0)" } ?? ""), so this report reads every "
        + "subscription; run `subtop status --rebuild` to convert them")
  }
}

extension StorefrontScope: ExpressibleByArgument {
  public init?(argument: String) { self.init(parsing: argument) }
}

extension OfferScope: ExpressibleByArgument {
  public init?(argument: String) { self.init(parsing: argument) }
}
