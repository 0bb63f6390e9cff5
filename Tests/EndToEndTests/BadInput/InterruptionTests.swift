import FakeAppStore
import Glibc
import TestSupport
import Testing

@Suite("Interrupted sweeps") struct InterruptionTests {
  private static let receipts = 400

  /// StoppingTests send the other signals.
  @Test(.tags(.long)) func keepAnswersAndLeaveTheRest() async throws {
    // The latency leaves enough unanswered receipts even on a slow machine.
    let life = try await Killing(ObservedAppStore { $0.latency = 2000 }, receipts: Self.receipts)
    let sweep = try life.start("--all")
    try await soon("something is committed: \(sweep.errors)") {
      try life.answered() > 0 || sweep.hasEnded ? true : nil
    }
    kill(sweep.pid, SIGINT)
    #expect(try await sweep.ending() == .signal(SIGINT))
    let summary = try JSON(Array(sweep.output.utf8))
    #expect(summary["stopped"]?.text == "interrupted")
    let answered = try ["validated", "rejected", "retry_later"].reduce(0) {
      try $0 + #require(summary[$1]?.integer)
    }
    #expect(answered > 0 && answered < Self.receipts)
    let status = try await life.subtop.run("status", "--check", "--format", "json").json
    #expect(status["integrity"]?.text == "ok")
    let left = Self.receipts - answered
    #expect(status["due_now"]?.integer == left, "what was answered is kept, the rest is as it was")
    let quick = try await ObservedAppStore()
    let next = try await life.subtop.run(["sweep", "--due", "--format", "json"] + quick.options)
    #expect(try next.ending == .code(0) && next.json["picked"]?.integer == left, "\(next.errors)")
  }
}
