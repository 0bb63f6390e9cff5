import AppStore
import Files
import Listening
import Subscriptions
import Sweep

extension DuePolicy {
  init(_ table: ConfigurationTable) throws(Failure) {
    self.init()
    aroundExpiry = try table.offsets("around_expiry")?.sorted() ?? aroundExpiry
    trial = try table.duration("trial") ?? trial
    active = try table.duration("active") ?? active
    priceConsentPending = try table.duration("price_consent_pending") ?? priceConsentPending
    overdue = try table.duration("overdue") ?? overdue
    grace = try table.duration("grace") ?? grace
    billingRetry = try table.duration("billing_retry") ?? billingRetry
    lapsed = try table.duration("lapsed") ?? lapsed
    longLapsedAfter = try table.duration("long_lapsed_after") ?? longLapsedAfter
    longLapsed = try table.duration("long_lapsed") ?? longLapsed
    jitter = try table.number("jitter", 0...0.5) ?? jitter
    if let inner = try table.table("important") {
      important.products = Set((try inner.texts("products") ?? []).map { ProductID($0) })
      important.users = Set((try inner.texts("users") ?? []).map { AppUserID($0) })
      important.every = try inner.duration("every") ?? important.every
      important.within = try inner.duration("within") ?? important.within
      try inner.refuseOthers()
    }
    try table.refuseOthers()
  }
}

extension SweepOptions {
  init(_ table: ConfigurationTable) throws(Failure) {
    self.init()
    concurrency = try table.count("concurrency", 1...1000) ?? concurrency
    maximumRate = try table.number("rate", 0.01...100_000)
    tries = try table.count("tries", 1...10) ?? tries
    fullAnswerEvery = try table.duration("full_answer_every", orNone: true) ?? fullAnswerEvery
    giveUpPolicy.tries = try table.count("dead_after_tries", 2...1000) ?? giveUpPolicy.tries
    giveUpPolicy.span = try table.duration("dead_after", orNone: true) ?? giveUpPolicy.span
    giveUpPolicy.verdictSpan = try table.duration("believe_after", orNone: true) ?? giveUpPolicy.verdictSpan
    if let limit = try table.duration("time_limit") { limits.total = Int(clamping: limit) }
    let leases = (Milliseconds.second...Milliseconds.hour, "from \"1s\" to \"1h\"")
    lease = try table.duration("lease", in: leases) ?? lease
    if let path = try table.text("ca_file") {
      limits.certificates = try Self.certificates(path, of: table)
    }
    try table.refuseOthers()
  }

  private static func certificates(
    _ path: String, of table: ConfigurationTable
  ) throws(Failure) -> CertificateBundle {
    let what = "sweep.ca_file of the configuration file \(table.path)"
    let bytes = try TrustedFile.certificates.bytes(at: path, called: what)
    guard Certificate(file: bytes) != nil else {
      throw Failure(
        .configuration,
        "cannot use \(what): \(path) contains no readable PEM certificate; provide a file with lines BEGIN CERTIFICATE and "
          + "END CERTIFICATE, or omit ca_file to trust the system's certificates")
    }
    return CertificateBundle(pem: bytes)
  }
}

struct ListenSettings: Sendable {
  var options = ListenerOptions()
  var dashboard = false

  init() {}

  init(_ table: ConfigurationTable) throws(Failure) {
    options.port = try table.count("port", 0...65_535) ?? options.port
    options.address = try table.text("bind") ?? options.address
    dashboard = try table.flag("dashboard") ?? dashboard
    try table.refuseOthers()
  }
}

/// Settings of the table `[alerts]`: named conditions, and how to report them.
struct AlertSettings: Sendable {
  var alerts: [Alert] = []
  var command: [String] = []
  var webhook: Webhook?
  var timeLimit = 10 * Milliseconds.second

  var hasRecipient: Bool { !command.isEmpty || webhook != nil }

  init() {}

  init(_ table: ConfigurationTable) throws(Failure) {
    if let words = try table.texts("command") {
      guard let program = words.first, !program.isEmpty, !words.contains(where: { $0.contains("\0") }) else {
        throw table.wrong("command", "a list of a program and its arguments")
      }
      command = words
    }
    if let text = try table.text("webhook") {
      webhook = Webhook(text)
      if webhook == nil {
        throw table.wrong(
          "webhook",
          "a URL to post to: https, or http only on this machine, without a password")
      }
    }
    let limits = (Milliseconds.second...Milliseconds.minute, "from \"1s\" to \"1m\"")
    timeLimit = try table.duration("time_limit", in: limits) ?? timeLimit
    for name in table.keys.sorted() where !["command", "webhook", "time_limit"].contains(name) {
      guard name.isOwnName else {
        throw table.refused(
          "\(name) is not a valid alert name; use up to 40 letters (a to z), digits, - and _")
      }
      guard let text = try table.text(name, "a string in quotes, like \"churn_rate > 6%\"") else { continue }
      do throws(AlertProblem) {
        alerts.append(Alert(name, try AlertCondition(parsing: text)))
      } catch {
        throw table.refused(name, text, error.sentence)
      }
    }
  }
}
