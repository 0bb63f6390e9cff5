import Glibc
import Testing

@Suite("Interrupted sweeps")
struct InterruptionTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func keepWhatWasAnsweredAndLeaveTheRest(_ signal: Int32) async throws {
    let world = try await World.shared.value
    let subtop = try Subtop()
    _ = try await subtop.run("import", "receipts", try subtop.file("receipts", try world.receipts(300)))
    let slow = try await FakeAppStoreChild(["--start", World.now, "--clock-speed", "0", "--latency", "250"])
    let arguments = ["sweep", "--all", "--format", "json", "--concurrency", "4"]
    let sweep = try subtop.start(arguments + slow.options)
    try await soon("the sweep has committed something") {
      try await subtop.run("status", "--format", "json").json["transactions"]?.integer ?? 0 > 0 ? true : nil
    }
    kill(sweep.pid, signal)
    #expect(try await sweep.ending() == .signal(signal))
    let summary = try JSON(Array(sweep.output.utf8))
    #expect(summary["stopped"]?.text == "interrupted")
    let validated = try #require(summary["validated"]?.integer)
    #expect(validated > 0 && validated < 300)
    // A few of the population are gone or refused: they are answered too.
    let answered = try ["validated", "rejected", "retry_later"].reduce(0) {
      try $0 + #require(summary[$1]?.integer)
    }
    let status = try await subtop.run("status", "--check", "--format", "json").json
    #expect(status["integrity"]?.text == "ok")
    #expect(status["due_now"]?.integer == 300 - answered, "what was answered is kept, the rest is as it was")
    let next = try await subtop.run(["sweep", "--due", "--format", "json"] + world.appStore.options)
    #expect(next.ending == .code(0))
    #expect(try next.json["picked"]?.integer == 300 - answered)
  }
}
