import Logging
import ReceiptStore
import Subscriptions
import Sweep

/// Evaluates the configuration's alerts on the store, and reports changes.
struct AlertWatch: Sendable {
  private let configuration: ConfigurationFile
  private let store: ReceiptStore

  init(_ configuration: ConfigurationFile, _ store: ReceiptStore) {
    (self.configuration, self.store) = (configuration, store)
  }

  private var settings: AlertSettings { configuration.alerts }

  var hasAlerts: Bool { !settings.alerts.isEmpty }

  func states(at instant: Instant, asKnownThen: Bool = false) throws(StoreError) -> [AlertState] {
    guard hasAlerts else { return [] }
    var question = Question(panel: .overview, at: instant)
    question.asKnownThen = asKnownThen
    question.smallBusinessProgram = configuration.smallBusinessProgram
    question.reportingCurrency = configuration.reportingCurrency
    let isCompared = settings.alerts.contains { $0.condition.figure.isOfReconciliation }
    let window = Window(days: AlertCondition.standardDays, upTo: instant)
    let evaluation = AlertEvaluation(
      question, firstPurchase: try store.firstPurchase(), currencies: try store.knownNames().currencies,
      reconciliation: isCompared
        ? try store.reconciliation(over: window, asKnownAt: asKnownThen ? instant : nil) : nil)
    let states = try evaluation.states(of: settings.alerts) { question throws(StoreError) in
      try store.report(question)
    }
    return try store.remembered(states)
  }

  /// Reports alerts that were raised or have ended since the last report; returns a sentence per problem.
  func deliver(at now: Instant) -> [String] {
    guard hasAlerts else { return [] }
    do throws(StoreError) {
      let news = try store.takeUp(
        states(at: now), hasRecipient: settings.hasRecipient, patience: patience, at: now)
      var troubles: [String] = []
      for one in news {
        let problem = deliver(one)
        if let problem { troubles.append(problem) }
        try store.conclude(one, wasDelivered: problem == nil, at: now)
      }
      return troubles
    } catch {
      Logger.subtop.error("\(error)")
      return [error.description]
    }
  }

  /// Milliseconds that this process has to report the alerts it claims; then another process may report them.
  private var patience: Int64 {
    2 * settings.timeLimit * Int64(settings.alerts.count + 1)
  }

  /// Reports an alert by command and webhook; returns errors, after which the next sweep repeats both.
  private func deliver(_ news: AlertNews) -> String? {
    var problems: [String] = []
    if !settings.command.isEmpty {
      let program = ChildProgram(
        words: news.filled(in: settings.command), hidden: configuration.secretVariables,
        limit: settings.timeLimit)
      if let problem = program.output().failure {
        problems.append("\(printable(settings.command[0])) (alerts.command) \(problem)")
      }
    }
    if let webhook = settings.webhook {
      let text = try? jsonText(AlertMessage(news))
      let problem = webhook.post(
        text ?? "{}", within: settings.timeLimit,
        certificates: configuration.sweep.limits.certificates)
      if let problem { problems.append("alerts.webhook: \(problem)") }
    }
    let facts: Logger.Metadata = ["alert": "\(news.state.alert.name)", "state": "\(news.kind.rawValue)"]
    guard !problems.isEmpty else {
      Logger.subtop.info("delivered an alert", metadata: facts)
      return nil
    }
    let problem =
      "cannot report the alert \(news.state.alert.name): \(problems.joined(separator: "; ")); the next sweep retries"
    Logger.subtop.warning("\(problem)", metadata: facts)
    return problem
  }
}
