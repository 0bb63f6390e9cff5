import Subscriptions
import Sweep

/// The table `[alerts]`: what somebody wants to be told of, each under a name of his own, and how.
struct AlertSettings: Sendable {
  /// By their names.
  var alerts: [Alert] = []
  /// A program and its arguments; empty runs none.
  var command: [String] = []
  var webhook: Webhook?
  /// Milliseconds for the program and for the webhook each.
  var timeLimit = 10 * Milliseconds.second

  /// Whether anybody is told.
  var tells: Bool { !command.isEmpty || webhook != nil }

  static let keys: [ConfigurationKey<AlertSettings>] = [
    ConfigurationKey(
      "command",
      "A program, with its arguments, that the sweep which sees an alert raised or cleared runs once for each, without a shell: {name}, {state} and {message} stand for what there is to tell. Its output goes nowhere.",
      example: TOMLText.list(["notify-send", "subtop: {name}", "{message}"])
    ) { (table, settings) throws(Failure) in
      guard let words = try table.texts("command") else { return }
      guard let program = words.first, !program.isEmpty, !words.contains(where: { $0.contains("\0") }) else {
        throw table.wrong("command", "a list of a program and its arguments")
      }
      try table.refuseTilde(program, "command")
      settings.command = words
    } value: {
      $0.command.isEmpty ? nil : TOMLText.list($0.command)
    },
    ConfigurationKey(
      "webhook",
      "An address that the same is posted to as JSON: https, or http on this machine alone. Redirects are not followed.",
      example: TOMLText.quoted("https://hooks.example.com/subtop")
    ) { (table, settings) throws(Failure) in
      guard let text = try table.filledText("webhook") else { return }
      guard let webhook = Webhook(text) else {
        throw table.wrong(
          "webhook",
          "an address that may be posted to: https, or http on this machine alone, without a password")
      }
      settings.webhook = webhook
    } value: {
      ($0.webhook?.address).map(TOMLText.quoted)
    },
    .span(
      "time_limit", \.timeLimit, in: (Milliseconds.second...Milliseconds.minute, "from \"1s\" to \"1m\""),
      "How long either may take, \"1s\" to \"1m\"; what failed is tried again by the next sweep."),
  ]

  init() {}

  /// What the table leaves out stays as it is by default.
  init(_ table: ConfigurationTable) throws(Failure) {
    let settings = Set(Self.keys.map(\.name))
    let names = table.keys.filter { !settings.contains($0) }
    try Self.keys.read(table, into: &self, beside: Set(names))
    for name in names.sorted() {
      guard name.isOwnName else {
        throw table.refused(
          "an alert cannot be called \(name); a name has up to 40 letters of a to z, digits, - and _")
      }
      guard let text = try table.text(name, "text in quotes, like \"churn_rate > 6%\"") else { continue }
      do throws(AlertProblem) {
        alerts.append(Alert(name, try AlertCondition(parsing: text)))
      } catch {
        throw table.refused(name, text, error.sentence)
      }
    }
  }

  /// The alerts as they stand in a file; two as an example where there are none.
  var printedAlerts: String {
    guard !alerts.isEmpty else {
      return "# churn = \"churn_rate > 6%\"\n# refunds = \"refunds today > 3x usual\"\n"
    }
    return alerts.map { "\($0.name) = \(TOMLText.quoted($0.condition.text))\n" }.joined()
  }
}
