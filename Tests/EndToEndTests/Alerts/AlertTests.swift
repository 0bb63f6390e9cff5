import Subscriptions
import Testing

@Suite("Alerts") struct AlertTests {
  private static let sweep = ["sweep", "--receipt", "1"]

  private static func configured(_ subtop: Subtop, limit: String = "1m", _ more: String) throws -> [String] {
    let text = """
      [alerts]
      time_limit = "\(limit)"
      few = "active.trust.receipts < 41"
      never = "paid > 1000000"
      unknown = "fresh < usual"
      \(more)
      """
    return ["--config", try subtop.file("config.toml", text)]
  }

  private static func receipts(_ count: Int, _ subtop: Subtop) async throws {
    let file = try subtop.file("more.jsonl", try await World.shared.value.receipts(count))
    let outcome = try await subtop.run("import", "receipts", file)
    try #require(outcome.ending == .code(0), "\(outcome.errors)")
  }

  @Test func anAlertRunsItsProgramOnceUntilCleared() async throws {
    let world = try await World.shared.value
    let subtop = try await SmallStore.copy()
    let received = subtop.home / "received"
    let program = try subtop.file(
      "report",
      "#!/bin/sh\nprintf '%s|' \"$@\" \"$SUBTOP_SHARED_SECRET\" >> '\(received)'\necho noise\necho noise >&2\n",
      mode: 0o700)
    let config = try Self.configured(
      subtop, "command = [\"\(program)\", \"{name} {state}\", \"$(id) {message} {x} {name}\"]")
    for _ in 0..<2 {
      let outcome = try await subtop.run(Self.sweep + world.appStore.options + config, code: 0)
      #expect(!(outcome.output + outcome.errors).contains("noise"))
    }
    let message = "active.trust.receipts: 40, below 41"
    let first = "few raised|$(id) \(message) {x} few||"
    #expect(try File.text(received) == first)
    try await Self.receipts(60, subtop)
    for _ in 0..<2 {
      #expect(try await subtop.run(Self.sweep + world.appStore.options + config).ending == .code(0))
    }
    #expect(
      try File.text(received)
        == first + "few cleared|$(id) cleared: active.trust.receipts: 60, not below 41 {x} few||")
    #expect(try File.text(subtop.log).contains("delivered an alert"))
  }

  @Test func aFailedWebhookIsRetried() async throws {
    let world = try await World.shared.value
    let subtop = try await SmallStore.copy()
    let failing = try Self.configured(subtop, "webhook = \"http://127.0.0.1:1/hook-SECRET\"")
    for _ in 0..<2 {
      let outcome = try await subtop.run(Self.sweep + world.appStore.options + failing, code: 0)
      #expect(
        outcome.errors.contains("cannot report the alert few") && outcome.errors.contains("sweep retries"))
      #expect(!outcome.errors.contains("SECRET"))
    }
    #expect(try !File.text(subtop.log).contains("SECRET"))
    let server = try AnsweringServer("{}")
    defer { server.close() }
    let config = try Self.configured(subtop, "webhook = \"\(server.url)\"")
    for _ in 0..<2 {
      let outcome = try await subtop.run(Self.sweep + world.appStore.options + config)
      #expect(outcome.ending == .code(0) && !outcome.errors.contains("cannot report"), "\(outcome.errors)")
    }
    #expect(server.bodies.count == 1)
    let body = try JSON(Array(try #require(server.bodies.first).utf8))
    #expect(body["alert"]?.text == "few" && body["state"]?.text == "raised")
    #expect(body["condition"]?.text == "active.trust.receipts < 41" && body["value"]?.integer == 40)
    #expect(body["limit"]?.integer == 41 && body["message"]?.text == "active.trust.receipts: 40, below 41")
    #expect(body["raised_since_ms"]?.integer != nil && body["at_ms"]?.integer != nil)
  }

  @Test(arguments: ["sleep 100 & sleep 100", "exec >&- 2>&-; sleep 100"])
  func aSlowProgramIsTerminated(_ script: String) async throws {
    let world = try await World.shared.value
    let subtop = try await SmallStore.copy()
    let config = try Self.configured(
      subtop, limit: "1s", "command = [\"/bin/sh\", \"-c\", \"\(script)\"]")
    let outcome = try await subtop.run(Self.sweep + world.appStore.options + config, code: 0)
    #expect(outcome.errors.contains("/bin/sh (alerts.command) took longer than 1s"), "\(outcome.errors)")
  }

  @Test func statusReportsAlertsAndExitsWithOne() async throws {
    let subtop = try await SmallStore.copy()
    let config = try Self.configured(subtop, "")
    let outcome = try await subtop.run(["status", "--alerts", "--format", "json"] + config, code: 1)
    #expect(outcome.errors.contains("an alert is raised: few: active.trust.receipts: 40, below 41"))
    let alerts = try #require(try outcome.json["alerts"]?.list)
    #expect(alerts.map { $0["name"]?.text } == ["few", "never", "unknown"])
    #expect(alerts.map { $0["state"]?.text } == ["raised", "clear", "unknown"])
    #expect(alerts[0]["value"]?.integer == 40 && alerts[0]["raised_since_ms"] != nil)
    let table = try await subtop.run(["status"] + config)
    #expect(table.ending == .code(0) && table.output.contains("1 raised of 3"), "\(table.output)")
    let whole = try await subtop.run(["status", "--format", "json"] + config)
    #expect(try whole.json["receipts"]?.integer == 40 && whole.json["alerts"]?.list.count == 3)
    let calm = ["--config", try subtop.file("calm.toml", "[alerts]\nnever = \"paid > 1000000\"\n")]
    #expect(try await subtop.run(["status", "--alerts"] + calm).ending == .code(0))
    #expect(try await subtop.run("status", "--alerts").ending == .code(0))
  }
}
