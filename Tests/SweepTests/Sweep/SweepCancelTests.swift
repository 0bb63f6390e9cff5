import Dispatch
import Subscriptions
import Sweep
import TestSupport
import Testing

@Suite(.blocking) struct SweepCancelTests {
  @Test func commitsAnswersAndReleasesTheRest() throws {
    let held = DispatchSemaphore(value: 0)
    let scene = try SweepScene(receipts: 40) { call in
      guard call.receipt >= SweepScene.receipt(20) else { return CannedAnswer.valid(call.receipt) }
      held.signal()
      return CannedReply(steps: [.hold])
    }
    let end = SweepEnd()
    let sweep = try scene.sweep(options: { $0.concurrency = 8 }, watcher: end.take)
    sweep.start()
    #expect(held.isSignalled())
    try wait { try scene.status().lines >= 20 }
    sweep.cancel()
    let summary = try end.wait()
    #expect(summary.stopped == .interrupted)
    #expect(summary.counts.picked == 40)
    #expect(summary.counts.validated == 20)
    #expect(summary.counts.retryLater == 0)
    #expect(try scene.status().dueNow == 20)
    #expect(try scene.status().lines == 20)
  }

  @Test func cancelBeforeTheStartSendsNothing() throws {
    let scene = try SweepScene(receipts: 3) { CannedAnswer.valid($0.receipt) }
    let sweep = try scene.sweep()
    sweep.cancel()
    let summary = try sweep.run()
    #expect(summary.stopped == .interrupted)
    #expect(scene.calls.isEmpty)
    #expect(try scene.status().dueNow == 3)
  }
}
