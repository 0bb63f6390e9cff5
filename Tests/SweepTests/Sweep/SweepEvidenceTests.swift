import ReceiptStore
import Subscriptions
import Sweep
import TestSupport
import Testing

/// Answers must never replace imported receipts.
@Suite(.blocking) struct SweepEvidenceTests {
  private static let app = "com.example.app"
  private static let newer = CannedReceipt.data("MII100000", app: app, transaction: 1)
  private static let original = CannedReceipt.data("MII100000", app: app)

  /// Store with a receipt about which Apple's first answer contains a newer receipt.
  private static func scene(_ reply: @escaping @Sendable (CannedCall) -> CannedReply) throws -> SweepScene {
    let isFirst = Flag()
    let scene = try SweepScene(receipts: 1, app: app) { call in
      guard isFirst.isSet else {
        isFirst.set()
        return CannedAnswer.valid(call.receipt, latest: newer.base64)
      }
      return reply(call)
    }
    _ = try scene.sweep().run()
    return scene
  }

  @Test(arguments: [
    CannedAnswer.status(21002), CannedAnswer.status(21003), CannedAnswer.status(21010),
    CannedAnswer.status(21007), CannedAnswer.status(2), CannedAnswer.valid("MII200000"),
    CannedAnswer.valid("MII100000", app: "com.example.other"),
  ])
  func aRefusedNewerReceiptIsIgnored(_ refusal: CannedReply) throws {
    let scene = try Self.scene { call in
      call.data == Self.newer ? refusal : CannedAnswer.valid(call.receipt, renewals: 1)
    }
    for _ in 0..<3 {
      scene.clock.advance(Milliseconds.hour)
      let summary = try scene.sweep(.all).run()
      #expect(summary.counts.validated == 1 && summary.counts.retryLater == 0)
    }
    #expect(
      scene.calls.map(\.data) == [Self.original, Self.newer] + Array(repeating: Self.original, count: 3))
    #expect(try scene.status().dead == 0)
  }

  @Test func theImportedReceiptIsSentIfTheNewerFails() throws {
    let scene = try Self.scene { call in
      call.data == Self.newer ? .answer("<html>", status: 500) : CannedAnswer.valid(call.receipt)
    }
    scene.clock.advance(Milliseconds.hour)
    let summary = try scene.sweep(.all, tries: 2).run()
    #expect(summary.counts.validated == 1)
    #expect(scene.calls.map(\.data) == [Self.original, Self.newer, Self.original])
  }

  @Test func aSummaryListsExcludedChains() throws {
    let scene = try SweepScene(receipts: 3, app: Self.app) { call in
      guard call.receipt == "MII100001" else { return CannedAnswer.valid(call.receipt) }
      let rows = [call.receipt, "MII200000", "MII300000"].map { CannedAnswer.row($0, 0) }
      return .answer(
        """
        {"status":0,"environment":"Production","receipt":{"bundle_id":"\(Self.app)","in_app":[]},
        "latest_receipt_info":[\(rows.joined(separator: ","))]}
        """)
    }
    let summary = try scene.sweep().run()
    #expect(summary.counts.validated == 3 && summary.counts.leftOutChains == 2)
    #expect(summary.leftOutOf == [ReceiptID(rawValue: 2)])
    #expect(try scene.status().transactions == 3)
  }

  /// Simulates about a year of sweeps.
  @Test func aSwappedAnswerNeverRejectsTheReceipt() throws {
    let isHonest = Flag()
    let scene = try SweepScene(receipts: 1, app: Self.app) { call in
      CannedAnswer.valid(isHonest.isSet ? call.receipt : "MII200000")
    }
    for _ in 0..<30 {
      _ = try scene.sweep(.all).run()
      scene.clock.advance(12 * Milliseconds.day)
    }
    #expect(try scene.status().dead == 0 && scene.status().transactions == 0)
    isHonest.set()
    #expect(try scene.sweep(.all).run().counts.validated == 1)
    #expect(try scene.status().transactions == 1)
  }
}
