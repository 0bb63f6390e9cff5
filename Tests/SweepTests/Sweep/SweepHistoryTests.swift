import AppStore
import Subscriptions
import Sweep
import TestSupport
import Testing

@Suite(.blocking) struct SweepHistoryTests {
  private static func isPartial(_ request: CannedRequest) throws -> Bool {
    try VerifyReceiptRequest(decoding: request.body).excludeOldTransactions
  }

  @Test func oldTransactionsAreLeftOutWhileTheHistoryIsFresh() throws {
    let scene = try SweepScene(receipts: 2) { CannedAnswer.valid($0.receipt, renewals: 3) }
    _ = try scene.sweep().run()
    scene.clock.advance(Milliseconds.day)
    _ = try scene.sweep(.all).run()
    scene.clock.advance(4 * Milliseconds.day)
    _ = try scene.sweep(.all).run()
    // The weekly full answer is due, slightly early by jitter.
    scene.clock.advance(Milliseconds.day + 12 * Milliseconds.hour)
    _ = try scene.sweep(.all).run()
    let asked = try scene.server.requests.map(Self.isPartial)
    #expect(asked == [false, false, true, true, true, true, false, false])
    #expect(try scene.status().transactions == 8)
  }

  @Test func canAlwaysRequestFullAnswers() throws {
    let scene = try SweepScene(receipts: 1) { CannedAnswer.valid($0.receipt) }
    _ = try scene.sweep(options: { $0.fullAnswerEvery = 0 }).run()
    _ = try scene.sweep(.all, options: { $0.fullAnswerEvery = 0 }).run()
    #expect(try scene.server.requests.map(Self.isPartial) == [false, false])
  }
}
