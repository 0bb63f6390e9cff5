import Subscriptions
import Sweep
import TestSupport
import Testing

/// Effect of each kind of reply on counts and store; `OutcomeTests` covers every status.
@Suite(.blocking) struct SweepStatusTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let reply: CannedReply
    var validated = 0
    var retryLater = 0
    var rejected = 0
    var stopped: SweepSummary.Stop?
    var status: Int?
    var http: Int? = 200
    /// Whether the receipt is due again later.
    var stays = true
    /// Whether the answer is accepted once it has been repeated.
    var isVerdict = false
  }

  static let cases: [Case] = [
    Case(testDescription: "0", reply: CannedAnswer.valid("MII100000"), validated: 1, status: 0),
    Case(
      testDescription: "0 about another receipt", reply: CannedAnswer.valid("MII200000"), retryLater: 1,
      status: 0),
    Case(testDescription: "21002", reply: CannedAnswer.status(21002), retryLater: 1, status: 21002),
    Case(
      testDescription: "21003", reply: CannedAnswer.status(21003), retryLater: 1, status: 21003,
      isVerdict: true),
    Case(
      testDescription: "21004", reply: CannedAnswer.status(21004), stopped: .secretRefused, status: 21004),
    Case(testDescription: "21005", reply: CannedAnswer.status(21005), retryLater: 1, status: 21005),
    Case(
      testDescription: "21010", reply: CannedAnswer.status(21010), retryLater: 1, status: 21010,
      isVerdict: true),
    Case(
      testDescription: "HTTP 500", reply: .answer("<html>", status: 500), retryLater: 1, http: 500),
    Case(testDescription: "no JSON", reply: .answer("<html>"), retryLater: 1),
    Case(
      testDescription: "cut off", reply: .partial(#"{"status":0,"#, of: 100, then: .close), retryLater: 1,
      http: nil),
  ]

  @Test(arguments: cases) func counts(_ one: Case) throws {
    let scene = try SweepScene(receipts: 1, app: "com.example.app") { _ in one.reply }
    let counts = try scene.sweep().run()
    #expect(counts.stopped == one.stopped)
    #expect(counts.counts.picked == 1)
    #expect(counts.counts.validated == one.validated)
    #expect(counts.counts.retryLater == one.retryLater)
    #expect(counts.counts.rejected == one.rejected)
    #expect(counts.counts.byStatus == (one.status.map { [$0: 1] } ?? [:]))
    #expect(counts.counts.http == (one.http.map { [$0: 1] } ?? [:]))
    #expect(counts.counts.transportErrors == (one.http == nil ? 1 : 0))
    #expect(try scene.status().dead == (one.stays ? 0 : 1))
    #expect(try scene.status().lines == one.validated)
    scene.clock.advance(365 * Milliseconds.day)
    #expect(try scene.status().dueNow == (one.stays ? 1 : 0))
  }

  @Test(arguments: cases.filter(\.isVerdict)) func isAcceptedTheSecondTime(_ one: Case) throws {
    let scene = try SweepScene(receipts: 1, app: "com.example.app") { _ in one.reply }
    _ = try scene.sweep().run()
    let counts = try scene.sweep(.all).run().counts
    #expect(counts.rejected == 1)
    #expect(try scene.status().dead == 1)
    scene.clock.advance(365 * Milliseconds.day)
    #expect(try scene.status().dueNow == 0)
    #expect(try scene.sweep(.all).run().counts.picked == 0)
    #expect(try scene.sweep(.dead).run().counts.picked == 1)
  }

  @Test(arguments: cases.filter(\.isVerdict)) func oneSweepQueriesTwiceBeforeAccepting(_ one: Case) throws {
    let scene = try SweepScene(receipts: 1, app: "com.example.app") { _ in one.reply }
    let summary = try scene.sweep(tries: 3).run()
    #expect(summary.counts.rejected == 1)
    #expect(summary.counts.retried == 1)
    #expect(scene.calls.count == 2)
  }

  @Test func retriesFailuresInTheSameSweep() throws {
    let scene = try SweepScene(receipts: 20) { call in
      call.receipt.hasSuffix("7") ? CannedAnswer.status(21009) : CannedAnswer.valid(call.receipt)
    }
    let summary = try scene.sweep(tries: 3).run()
    #expect(summary.stopped == nil)
    #expect(summary.counts.validated == 18)
    #expect(summary.counts.retryLater == 2)
    #expect(summary.counts.retried == 4)
    #expect(scene.calls.count == 24)
  }

  @Test(arguments: cases.filter { $0.validated == 0 })
  func failuresKeepStoredData(_ one: Case) throws {
    let isBroken = Flag()
    let scene = try SweepScene(receipts: 3, app: "com.example.app") { call in
      isBroken.isSet ? one.reply : CannedAnswer.valid(call.receipt, renewals: 2)
    }
    _ = try scene.sweep().run()
    let known = try scene.chains(0..<3)
    #expect(known.count == 3)
    isBroken.set()
    let summary = try scene.sweep(.all).run()
    #expect(summary.counts.validated == 0)
    let still = try scene.chains(0..<3)
    #expect(still == known)
  }

  @Test func aReceiptThatFailedWaitsLongerEachTime() throws {
    let scene = try SweepScene(receipts: 1) { _ in CannedAnswer.status(21005) }
    _ = try scene.sweep().run()
    #expect(try scene.status().dueNow == 0)
    scene.clock.advance(30 * Milliseconds.second)
    #expect(try scene.sweep().run().counts.retryLater == 1)
    scene.clock.advance(30 * Milliseconds.second)
    #expect(try scene.status().dueNow == 0)
    scene.clock.advance(30 * Milliseconds.second)
    #expect(try scene.status().dueNow == 1)
  }
}
