import ArgumentParser
import Dashboard
import ReceiptStore
import Subscriptions

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract:
      "Show the store's health: receipts, subscriptions, freshness, due checks and their cost, last sweep, alerts.",
    discussion: "How to configure alerts: subtop help alerts")

  @Flag(help: "Also check the whole file, and compare derived data with Apple's answers.")
  var check = false

  @Flag(help: "First derive subscriptions, events and figures again from Apple's answers.")
  var rebuild = false

  @Flag(help: "Show only the alerts; exit with 1 if one is raised.")
  var alerts = false

  @Option(help: "table or json.")
  var format = TableFormat.table

  @OptionGroup var shared: SharedOption
  @OptionGroup var options: StoreOptions

  func validate() throws {
    guard !alerts || !(check || rebuild) else {
      throw ValidationError("--alerts cannot be combined with --check or --rebuild.")
    }
    guard !shared.shared || !(check || rebuild) else {
      throw ValidationError("--check and --rebuild are for the store itself, not for --shared.")
    }
  }

  func run() throws {
    let configuration = try options.configuration()
    if alerts { return try showAlerts(configuration) }
    if let store = try shared.open(configuration, at: options.at) {
      return try showParts(configuration, store)
    }
    let policy = configuration.duePolicy
    if rebuild {
      let store = try options.open(.existing, policy: policy)
      try showingProgress("rebuilding the store") {
        try store.rebuild(reporting: configuration.reportingCurrency, progress: $0)
      }
    }
    let store = try options.open(.readOnly, policy: policy)
    let now = SystemClock.now
    let status = try store.status(
      at: max(now, options.at ?? now), asOf: options.at.flatMap { $0 < now ? $0 : nil }, check: check,
      withQueue: true)
    let states = try states(configuration, store)
    switch format {
    case .table:
      let counts = text(of: status, width: Standard.outputColumns, glyphs: Standard.glyphs)
      let alerts =
        states.isEmpty
        ? [] : [text(of: states, width: Standard.outputColumns, glyphs: Standard.glyphs)]
      // Alerts come first for a past instant, because the last part of the status describes the present.
      for part in status.ofNow.isEmpty ? [counts] + alerts : alerts + [counts] { try Standard.print(part) }
    case .json:
      let members = states.isEmpty ? [:] : ["alerts": states.map(\.json)]
      try Standard.print(jsonText(JSONObject(value: status, members: members)))
    }
    if status.integrity == ReceiptStore.disagreement { throw Failure(.store, ReceiptStore.disagreement) }
    if let integrity = status.integrity, integrity != "ok" {
      throw Failure(.store, "the store \(options.path) is damaged; \(StoreError.mending(options.path))")
    }
  }

  private func showParts(_ configuration: ConfigurationFile, _ store: ReceiptStore) throws {
    guard let state = try store.readShared() else { return }
    let status = try SharedStatus(configuration.sharedServer(), state.parts)
    try format.print(status) { _, _ in "\(state.head)\n\(status.text)" }
  }

  private func showAlerts(_ configuration: ConfigurationFile) throws {
    let store =
      try shared.open(configuration, at: options.at)
      ?? options.open(.readOnly, policy: configuration.duePolicy)
    let states = try states(configuration, store)
    try format.print(["alerts": states.map(\.json)]) { text(of: states, width: $0, glyphs: $1) }
    // An alert that cannot be evaluated must not look clear.
    let mistakes = states.compactMap { state in
      state.problem.map { "the alert \(printable(state.alert.name)) cannot be evaluated: \($0.sentence)" }
    }
    let raised = states.filter(\.isRaised)
    guard let first = raised.first else {
      guard let mistake = mistakes.first else { return }
      throw Failure(.configuration, mistake)
    }
    for mistake in mistakes { Standard.complain(mistake) }
    let others = raised.count > 1 ? ", and \(CountText.of(raised.count - 1)) more" : ""
    throw Failure(.failed, "an alert is raised: \(first.inWords)\(others)")
  }

  private func states(
    _ configuration: ConfigurationFile, _ store: ReceiptStore
  ) throws -> [AlertState] {
    let watch = AlertWatch(configuration, store)
    let shared = try store.isShared ? store.readShared()?.at : nil
    return try watch.states(at: shared ?? options.at ?? SystemClock.now, asKnownThen: options.at != nil)
  }
}
