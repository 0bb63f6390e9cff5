import Dispatch
import GRDB
import Glibc
import ReceiptStore
import Subscriptions
import Sweep
import Synchronization
import TestSupport
import Testing

@Suite(.blocking) struct SweepOutageTests {
  struct Outage: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let receipts: Int
    var wasValidated = true
    let reply: CannedReply
    /// Hours between sweeps, and in total.
    let every: Int64
    let hours: Int64
  }

  static let outages = [
    Outage(
      testDescription: "503 for four days, three receipts", receipts: 3, reply: .answer("", status: 503),
      every: 6, hours: 96),
    Outage(
      testDescription: "503 for four days, receipts that never were valid", receipts: 3, wasValidated: false,
      reply: .answer("", status: 503), every: 6, hours: 96),
    Outage(
      testDescription: "21002 for four days, nine receipts", receipts: 9, reply: CannedAnswer.status(21002),
      every: 6, hours: 96),
    Outage(
      testDescription: "21002 for a day, one receipt", receipts: 1, wasValidated: false,
      reply: CannedAnswer.status(21002), every: 1, hours: 24),
  ]

  @Test(arguments: outages) func anOutageNeverRejectsReceipts(_ one: Outage) throws {
    let isOut = Flag()
    let scene = try SweepScene(receipts: one.receipts) { call in
      isOut.isSet ? one.reply : CannedAnswer.valid(call.receipt)
    }
    if one.wasValidated { #expect(try scene.sweep().run().counts.validated == one.receipts) }
    isOut.set()
    for _ in 0..<(one.hours / one.every) {
      scene.clock.advance(one.every * Milliseconds.hour)
      _ = try scene.sweep(.all).run()
    }
    #expect(try scene.status().dead == 0)
    isOut.clear()
    scene.clock.advance(Milliseconds.day)
    let after = try scene.sweep(.all).run()
    #expect(after.counts.validated == one.receipts && after.stopped == nil)
  }

  @Test func aReceiptThatFailsAmongOthersIsGivenUp() throws {
    let scene = try SweepScene(receipts: 8) { call in
      call.receipt == SweepScene.receipt(3) ? .answer("", status: 500) : CannedAnswer.valid(call.receipt)
    }
    for _ in 0..<12 {
      _ = try scene.sweep(.all).run()
      scene.clock.advance(8 * Milliseconds.hour)
    }
    #expect(try scene.status().dead == 1)
  }

  @Test(arguments: [21010, 21003]) func anOutageWithChangingErrorsTombstonesNothing(_ status: Int) throws {
    let stage = Atomic(0)
    let scene = try SweepScene(receipts: 3) { call in
      switch stage.load(ordering: .relaxed) {
      case 0: CannedAnswer.valid(call.receipt)
      case 1: .answer("", status: 503)
      default: CannedAnswer.status(status)
      }
    }
    _ = try scene.sweep().run()
    stage.store(1, ordering: .relaxed)
    _ = try scene.sweep(.all).run()
    scene.clock.advance(26 * Milliseconds.hour)
    stage.store(2, ordering: .relaxed)
    let first = try scene.sweep(.all, tries: 3).run()
    #expect(first.counts.rejected == 0 && first.counts.retryLater == 3)
    scene.clock.advance(50 * Milliseconds.minute)
    #expect(try scene.sweep(.all, tries: 3).run().counts.rejected == 0)
    #expect(try scene.status().dead == 0)
    scene.clock.advance(11 * Milliseconds.minute)
    #expect(try scene.sweep(.all, tries: 3).run().counts.rejected == 3)
  }

  @Test func aRetryOfDeadReceiptsKeepsTheirReason() throws {
    let stage = Atomic(0)
    let scene = try SweepScene(receipts: 6) { call in
      if call.receipt != SweepScene.receipt(0) { return CannedAnswer.valid(call.receipt) }
      return stage.load(ordering: .relaxed) == 0
        ? CannedAnswer.status(21003) : .answer("", status: 503)
    }
    for _ in 0..<2 {
      _ = try scene.sweep(.all).run()
      scene.clock.advance(Milliseconds.day)
    }
    let reasons = try scene.store.queue(at: scene.clock.now).dead.map(\.reason)
    #expect(reasons.count == 1 && reasons[0].hasPrefix("21003"))
    stage.store(1, ordering: .relaxed)
    for _ in 0..<14 {
      _ = try scene.sweep(.dead).run()
      scene.clock.advance(12 * Milliseconds.hour)
    }
    #expect(try scene.store.queue(at: scene.clock.now).dead.map(\.reason) == reasons)
  }

  /// While the store is locked for longer than leases last, no request is sent on them.
  @Test func nothingIsSentOnLeasesThatMayBeOut() throws {
    let isHeld = Flag()
    let (reached, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let scene = try SweepScene(receipts: 60) { call in
      if isHeld.isSet {
        reached.signal()
        _ = gate.isSignalled()
      }
      return CannedAnswer.valid(call.receipt)
    }
    let other = try scene.store.beginSweep(.all, by: "test", at: scene.clock.now)
    let end = SweepEnd()
    let sweep = try scene.sweep(
      .all, options: { ($0.lease, $0.concurrency) = (1000, 2) }, watcher: end.take)
    isHeld.set()
    sweep.start()
    for _ in 0..<2 { #expect(reached.isSignalled()) }
    var patient = Configuration()
    patient.busyMode = .timeout(300)
    let writer = try DatabaseQueue(path: scene.store.path, configuration: patient)
    try writer.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      // Leases cannot be renewed from here on.
      usleep(1_200_000)
      isHeld.clear()
      for _ in 0..<2 { gate.signal() }
      // Enough time for wrong requests. On a slow machine the test would only notice less.
      usleep(300_000)
      #expect(scene.calls.count == 2)
      try db.execute(
        sql: "UPDATE leases SET sweep_id = ?, until_ms = ? WHERE receipt_id > 30",
        arguments: [other.rawValue, (scene.clock.now + Milliseconds.day).rawValue])
      try db.execute(sql: "COMMIT")
    }
    let summary = try end.wait()
    #expect(summary.counts.validated == 30 && summary.counts.givenBack == 30)
    #expect(scene.calls.map(\.receipt).sorted() == (0..<30).map(SweepScene.receipt))
  }

  @Test func reportsProgressWhileNothingIsCommitted() throws {
    let isReported = Flag()
    let scene = try SweepScene(receipts: 2) { call in
      try? wait { isReported.isSet }
      return CannedAnswer.valid(call.receipt)
    }
    let seen = Mutex<[SweepProgress]>([])
    let sweep = try scene.sweep(watcher: { event in
      guard case .progress(let progress) = event, progress.inFlight > 0, progress.counts.done == 0 else {
        return
      }
      let count = seen.withLock {
        $0.append(progress)
        return $0.count
      }
      if count >= 2, progress.elapsed >= 900 { isReported.set() }
    })
    _ = try sweep.run()
    #expect(isReported.isSet)
    let waiting = seen.withLock { $0 }
    #expect(waiting.allSatisfy { $0.total == 2 })
  }
}
