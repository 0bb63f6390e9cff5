import Subscriptions
import Sweep
import TestSupport
import Testing

@Suite(.blocking) struct SweepEnvironmentTests {
  static func sandboxReceipts(_ call: CannedCall) -> CannedReply {
    call.isSandbox ? CannedAnswer.valid(call.receipt, environment: "Sandbox") : CannedAnswer.status(21007)
  }

  @Test func a21007GoesToTheSandboxOnceAndThereAtOnceNextTime() throws {
    let scene = try SweepScene(receipts: 2, Self.sandboxReceipts)
    let first = try scene.sweep().run().counts
    #expect(first.rerouted == 2)
    #expect(first.validated == 2)
    #expect(first.byStatus == [21007: 2, 0: 2])
    #expect(scene.calls.filter(\.isSandbox).count == 2)
    #expect(scene.calls.count == 4)
    let second = try scene.sweep(.all).run().counts
    #expect(second.rerouted == 0)
    #expect(second.unchanged == 2)
    #expect(scene.calls.count == 6)
  }

  @Test func a21008GoesBackToProduction() throws {
    let hasMoved = Flag()
    let scene = try SweepScene(receipts: 1) { call in
      guard hasMoved.isSet else { return Self.sandboxReceipts(call) }
      return call.isSandbox ? CannedAnswer.status(21008) : CannedAnswer.valid(call.receipt)
    }
    _ = try scene.sweep().run()
    hasMoved.set()
    let counts = try scene.sweep(.all).run().counts
    #expect(counts.rerouted == 1)
    #expect(counts.validated == 1)
    #expect(counts.byStatus == [21008: 1, 0: 1])
  }

  struct Bounce: CustomTestStringConvertible {
    let testDescription: String
    let production: Int
    let sandbox: Int
    let calls: Int
  }

  static let bounces: [Bounce] = [
    Bounce(testDescription: "each sends it to the other", production: 21007, sandbox: 21008, calls: 2),
    Bounce(testDescription: "the sandbox sends it to itself", production: 21007, sandbox: 21007, calls: 2),
    Bounce(testDescription: "production sends it to itself", production: 21008, sandbox: 0, calls: 1),
  ]

  @Test(arguments: bounces) func oneHopAndNoMore(_ one: Bounce) throws {
    let scene = try SweepScene(receipts: 1) {
      CannedAnswer.status($0.isSandbox ? one.sandbox : one.production)
    }
    let summary = try scene.sweep().run()
    #expect(summary.counts.retryLater == 1)
    #expect(scene.calls.count == one.calls)
    #expect(try scene.status().dead == 0)
  }
}
