import AppStore
import ReceiptStore
import Subscriptions
import Sweep
import Synchronization
import TestSupport
import Testing

@Suite(.blocking) struct LongAnswerTests {
  /// Simulates about a year of sweeps.
  @Test func anAnswerOverTheLimitIsMarkedAndAskedForRarelyAndNeverDead() throws {
    let isShort = Flag()
    let scene = try SweepScene(receipts: 2) { call in
      CannedAnswer.valid(
        call.receipt, renewals: isShort.isSet || call.receipt == SweepScene.receipt(1) ? 1 : 400)
    }
    for attempt in 1...12 {
      let summary = try scene.sweep(
        .receipt(ReceiptID(rawValue: 1)), options: { $0.limits.answerBytes = 100_000 }
      )
      .run()
      #expect(summary.counts.retryLater == 1 && summary.counts.requests == 1)
      let queue = try scene.store.queue(at: scene.clock.now)
      #expect(queue.dead.isEmpty)
      #expect(
        queue.setAside.map(\.reason) == [
          "the answer exceeds the size limit: The answer is larger than 100000 bytes (too large, curl 23)"
        ] || queue.setAside.map(\.reason).first?.contains("Maximum file size") == true)
      if attempt > 6 {
        #expect((queue.nextRetryAtMs ?? scene.clock.now) - scene.clock.now == 7 * Milliseconds.day)
      }
      scene.clock.advance(30 * Milliseconds.day)
    }
    isShort.set()
    #expect(try scene.sweep(options: { $0.limits.answerBytes = 100_000 }).run().counts.validated == 2)
    #expect(try scene.store.queue(at: scene.clock.now).setAside.isEmpty)
  }

  @Test(arguments: [
    // Too many bytes, and too many purchases.
    (100_000, #","original_purchase_date_pst":"2025-12-31 16:00:00 America/Los_Angeles""#),
    (FieldLimits.transactionsPerAnswer + 1, ""),
  ])
  func tooManyPurchasesAreRefusedByTheLimit(_ count: Int, _ more: String) throws {
    let row =
      #"{"product_id":"coins","transaction_id":"%","original_transaction_id":"%","purchase_date_ms":"1767225600000","purchase_date_pst":"2025-12-31 16:00:00 America/Los_Angeles","quantity":"1","is_trial_period":"false""#
    let rows = (0..<count).map { row.replacing("%", with: "\($0 + 1_000_000)") + more + "}" }
    let body =
      #"{"status":0,"receipt":{"bundle_id":"com.example.app","in_app":[\#(rows.joined(separator: ","))]}}"#
    #expect((body.utf8.count > FieldLimits.answer) == !more.isEmpty)
    let scene = try SweepScene(receipts: 1) { _ in .answer(body) }
    #expect(try scene.sweep().run().counts.retryLater == 1)
    let queue = try scene.store.queue(at: scene.clock.now)
    #expect(queue.setAside.map(\.count) == [1] && queue.dead.isEmpty)
    #expect(queue.setAside.first?.reason.hasPrefix("the answer exceeds the size limit: ") == true)
  }

  @Test func answersLargerThanTheMemoryLimitAllSucceed() throws {
    let scene = try SweepScene(receipts: 24) { CannedAnswer.valid($0.receipt, renewals: 400) }
    let summary = try scene.sweep(options: {
      $0.concurrency = 12
      $0.bytesInMemory = 200_000
    }).run()
    #expect(summary.counts.validated == 24 && summary.counts.transportErrors == 0)
    #expect(try scene.status().transactions == 24 * 401)
  }

  /// Every answer takes twice as long as an unrenewed lease.
  @Test func aSlowAppStoreLosesNoAnswers() throws {
    let asked = Mutex<[String: Int]>([:])
    let scene = try SweepScene(receipts: 12) { call in
      asked.withLock { $0[call.receipt, default: 0] += 1 }
      return .slow(CannedAnswer.text(call.receipt), rest: 20)
    }
    let summary = try scene.sweep(options: {
      $0.concurrency = 6
      $0.lease = 200
    }).run()
    #expect(summary.counts.validated == 12 && summary.counts.retryLater == 0 && summary.counts.givenBack == 0)
    #expect(asked.withLock { $0.values.allSatisfy { $0 == 1 } })
    #expect(try scene.status().dead == 0 && scene.status().dueNow == 0)
  }
}
