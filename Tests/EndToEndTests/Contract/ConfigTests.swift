import Listening
import Subscriptions
import Sweep
import TestSupport
import Testing

@Suite("Configuration as printed") struct ConfigTests {
  private static func values(_ text: String) -> [String] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
  }

  @Test func isTheSameReadBackAsNone() async throws {
    let subtop = try Subtop()
    let printed = try await subtop.run("config", "--print")
    #expect(printed.ending == .code(0) && printed.errors.isEmpty)
    #expect(try await subtop.run("config").output == printed.output)
    let none = try await subtop.run("config", "--effective")
    #expect(none.ending == .code(0) && none.output == printed.output)
    let file = try subtop.file("config.toml", printed.output)
    let readBack = try await subtop.run("config", "--effective", "--config", file)
    #expect(readBack.ending == .code(0) && readBack.output == printed.output, "\(readBack.errors)")
    let empty = try subtop.file("empty.toml", "")
    #expect(try await subtop.run("config", "--effective", "--config", empty).output == printed.output)
    #expect(printed.output.split(separator: "\n").filter { $0.count > 78 } == [])
  }

  @Test func printsTheDefaultsOfTheCode() async throws {
    var (table, printed) = ("", [String: String]())
    for line in Self.values(try await Subtop().run("config").output) {
      let words = line.split(separator: " = ", maxSplits: 1).map(String.init)
      if words.count == 2 {
        printed[table + words[0]] = words[1]
      } else {
        table = line.dropFirst().dropLast() + "."
      }
    }
    let (due, sweep, listen) = (DuePolicy.standard, SweepOptions(), ListenerOptions())
    let spans = [
      "due.trial": due.trial, "due.active": due.active, "due.price_consent_pending": due.priceConsentPending,
      "due.overdue": due.overdue, "due.grace": due.grace, "due.billing_retry": due.billingRetry,
      "due.lapsed": due.lapsed, "due.long_lapsed_after": due.longLapsedAfter,
      "due.long_lapsed": due.longLapsed, "due.important.every": due.important.every,
      "due.important.within": due.important.within, "sweep.full_answer_every": sweep.fullAnswerEvery,
      "sweep.dead_after": sweep.giveUpPolicy.span, "sweep.believe_after": sweep.giveUpPolicy.verdictSpan,
      "sweep.time_limit": Int64(sweep.limits.total), "sweep.lease": sweep.lease,
      "alerts.time_limit": 10 * Milliseconds.second,
    ].mapValues { "\"\(Self.span($0))\"" }
    let others = [
      "production_url": "\"\(sweep.production)\"", "sandbox_url": "\"\(sweep.sandbox)\"",
      "server_api_url": "\"\(sweep.serverAPI)\"", "server_api_sandbox_url": "\"\(sweep.serverAPISandbox)\"",
      "reports_url": "\"\(AppStoreEndpoint.appStoreConnect)\"",
      "time_zones": "[\"UTC\", \"local\", \"America/Los_Angeles\"]", "theme": "\"terminal\"",
      "synchronized_output": "false",
      "due.around_expiry": "\(due.aroundExpiry.map(Self.span))", "due.jitter": "\(due.jitter)",
      "due.important.products": "[]", "due.important.users": "[]",
      "sweep.concurrency": "\(sweep.concurrency)", "sweep.tries": "\(sweep.tries)",
      "sweep.dead_after_tries": "\(sweep.giveUpPolicy.tries)", "listen.port": "\(listen.port)",
      "listen.bind": "\"\(listen.address)\"", "listen.dashboard": "false",
    ]
    #expect(printed == spans.merging(others) { $1 })
    let help = try await Subtop().run("help", "terminal").output.split { $0.isWhitespace }.joined(
      separator: " ")
    let themes = try await Subtop().run("config").output.split { " #\n".contains($0) }.joined(separator: " ")
    let list = try #require(help.split(separator: "Themes: ").last?.prefix { $0 != "." })
    #expect(themes.contains("Theme of the dashboard: \(list), or a theme of your own"))
  }

  private static func span(_ milliseconds: Int64) -> String {
    let units = [(Milliseconds.day, "d"), (Milliseconds.hour, "h"), (Milliseconds.minute, "m")]
    let unit = units.first { milliseconds % $0.0 == 0 } ?? (Milliseconds.second, "s")
    return "\(milliseconds / unit.0)\(unit.1)"
  }

  /// Every key with a value other than its default, in the order in which keys are printed.
  private func changed(_ certificates: String) -> String {
    """
    production_url = "https://apple.example.com/verifyReceipt"
    sandbox_url = "http://127.0.0.1:8443/sandbox/verifyReceipt"
    server_api_url = "https://storekit.example.com"
    server_api_sandbox_url = "http://127.0.0.1:8443/sandbox"
    reports_url = "http://127.0.0.1:8443"
    root_certificate_file = "/root.pem"
    time_zones = ["UTC"]
    reporting_currency = "EUR"
    theme = "dark"
    synchronized_output = true
    shared_secret_env = "A_SECRET"
    shared_secret_file = "/a \\"b\\" \\\\ c"
    issuer_id = "5b7d0c3e-8f1a-4c62-9d24-6a0f3e51b7c8"
    key_id = "KEY1"
    private_key_file = "/key.p8"
    private_key_env = "A_KEY"
    reports_issuer_id = "5b7d0c3e-8f1a-4c62-9d24-6a0f3e51b7c8"
    reports_key_id = "KEY3"
    reports_private_key_file = "/key3.p8"
    reports_private_key_env = "C_KEY"
    vendor_number = 85012345
    [apps."com.example.a"]
    shared_secret_env = "B_SECRET"
    shared_secret_file = "/b"
    issuer_id = "9d240c3e-8f1a-4c62-9d24-6a0f3e51b7c8"
    key_id = "KEY2"
    private_key_file = "/key2.p8"
    private_key_env = "B_KEY"
    source = "server_api"
    apple_id = 1234567890
    small_business_program = [{ from = "2024-01-01", until = "2024-12-31" }, { from = "2026-01-01" }, { until = "2020-02-29" }]
    [apps."com.example.b"]
    shared_secret_file = "/c"
    [due]
    around_expiry = ["-2d", "0s", "90s"]
    trial = "23h"
    active = "8d"
    price_consent_pending = "2d"
    overdue = "59m"
    grace = "5h"
    billing_retry = "36h"
    lapsed = "14d"
    long_lapsed_after = "60d"
    long_lapsed = "61d"
    jitter = 0.25
    [due.important]
    products = ["com.example.a.pro", "com.example.b.pro"]
    users = ["u 1"]
    every = "30m"
    within = "12h"
    [sweep]
    concurrency = 4
    rate = 2.5
    tries = 2
    full_answer_every = "0s"
    dead_after_tries = 12
    dead_after = "4d"
    believe_after = "2h"
    time_limit = "30s"
    lease = "2m"
    ca_file = "\(certificates)"
    [listen]
    port = 9000
    bind = "0.0.0.0"
    dashboard = true
    [shared]
    server = "host=db.example.com dbname=x sslmode=verify-full"
    password_file = "/pg"
    password_env = "PG_SECRET"
    schema = "team_b"
    part = "3/16"
    [alerts]
    command = ["notify", "{name}", "{message}"]
    webhook = "https://hooks.example.com/x"
    time_limit = "5s"
    churn = "churn_rate > 6%"
    refunds = "refunds today > 3 × usual"
    [keys]
    find = ["F2", "F3", "\\""]
    sort-left = ["<", "\\\\"]
    [commands]
    ticket = { key = "!", run = "ticket {original_transaction_id}" }
    """
  }

  @Test func printsEveryEffectiveValue() async throws {
    let subtop = try Subtop()
    let text = changed(try subtop.file("authority.pem", SampleCertificate.pem))
    let file = try subtop.file("config.toml", text)
    let effective = try await subtop.run("config", "--effective", "--config", file, code: 0)
    #expect(Self.values(effective.output) == text.split(separator: "\n").map(String.init))
    let again = try subtop.file("again.toml", effective.output)
    #expect(try await subtop.run("config", "--effective", "--config", again).output == effective.output)
    // Every printed key must be in `text`.
    let printed = try await subtop.run("config", "--print").output
    let keys = printed.split(separator: "\n").filter { $0.contains(" = ") }.map { line in
      line.drop { $0 == "#" || $0 == " " }.prefix { $0 != " " }
    }
    #expect(keys.count > 35)
    let shown = text.split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(keys.filter { !shown.contains($0) && $0 != "quit" } == [])
  }

  @Test(arguments: [
    (["--print", "--effective"], "Give only one of"), (["--config", "x"], "--config is only for"),
  ])
  func explainsMisuse(_ arguments: [String], _ says: String) async throws {
    let outcome = try await Subtop().run(["config"] + arguments)
    #expect(outcome.ending == .code(64) && outcome.output.isEmpty)
    #expect(outcome.errors.contains(says), "\(outcome.errors)")
  }

  /// Commented-out keys must also be valid, given the files they refer to.
  @Test func acceptsItsCommentedKeys() async throws {
    let subtop = try Subtop()
    let secret = try subtop.file("secret", "5ecre7")
    let authority = try subtop.file("authority.pem", SampleCertificate.pem)
    let lines = try await subtop.run("config", "--print").output.split(separator: "\n").map { line in
      let isKey = line.hasPrefix("# ") && (line.contains(" = ") || line.hasPrefix("# ["))
      guard isKey else { return String(line) }
      let bare = String(line.dropFirst(2))
      if bare.hasPrefix("shared_secret_file") { return "shared_secret_file = \"\(secret)\"" }
      return bare.hasPrefix("ca_file") ? "ca_file = \"\(authority)\"" : bare
    }
    let full = try subtop.file("full.toml", lines.joined(separator: "\n") + "\n")
    let read = try await subtop.run("config", "--effective", "--config", full, code: 0)
    #expect(Self.values(read.output).count > Self.values(try await subtop.run("config").output).count)
  }
}
