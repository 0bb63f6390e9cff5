import Dispatch
import GRDB
import Glibc
import ReceiptStore
import Subscriptions
import Sweep
import Synchronization
import Testing

/// Troubles that last for days, seen by sweeps of few receipts, one after another.
@Suite(.blocking) struct SweepOutageTests {
  struct Outage: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let receipts: Int
    var wasValidated = true
    let reply: CannedReply
    /// Hours between two sweeps, and for how long.
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
      testDescription: "403 of a proxy for four days, nine receipts", receipts: 9,
      reply: .answer("<html>", status: 403), every: 6, hours: 96),
    Outage(
      testDescription: "21009 for four days, forty receipts", receipts: 40, reply: CannedAnswer.status(21009),
      every: 12, hours: 96),
    Outage(
      testDescription: "21002 for four days, nine receipts", receipts: 9, reply: CannedAnswer.status(21002),
      every: 6, hours: 96),
    Outage(
      testDescription: "21002 for two days, nine receipts that never were valid", receipts: 9,
      wasValidated: false, reply: CannedAnswer.status(21002), every: 2, hours: 48),
    Outage(
      testDescription: "21002 for a day, one receipt", receipts: 1, wasValidated: false,
      reply: CannedAnswer.status(21002), every: 1, hours: 24),
  ]

  @Test(arguments: outages) func anOutageIsHeldAgainstNobody(_ one: Outage) throws {
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

  @Test(arguments: [21010, 21003]) func anOutageThatChangesItsErrorTombstonesNobody(_ status: Int) throws {
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
    let patient = { (options: inout SweepOptions) in
      options.tries = 3
      options.pause = Backoff(base: 5, longest: 10)
    }
    let first = try scene.sweep(.all, options: patient).run()
    #expect(first.counts.rejected == 0 && first.counts.retryLater == 3)
    scene.clock.advance(50 * Milliseconds.minute)
    #expect(try scene.sweep(.all, options: patient).run().counts.rejected == 0)
    #expect(try scene.status().dead == 0)
    scene.clock.advance(11 * Milliseconds.minute)
    #expect(try scene.sweep(.all, options: patient).run().counts.rejected == 3)
  }

  @Test func askedAgainTheDeadKeepWhatAppleSaid() throws {
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

  /// Somebody else writes for longer than the leases last, and meanwhile they run out.
  @Test func nothingIsSentOnLeasesThatMayBeOut() throws {
    let sent = Mutex<[(String, ContinuousClock.Instant)]>([])
    let scene = try SweepScene(receipts: 60) { call in
      sent.withLock { $0.append((call.receipt, .now)) }
      var reply = CannedAnswer.valid(call.receipt)
      reply.steps.insert(.rest(100), at: 0)
      return reply
    }
    let path = scene.store.path
    let started = ContinuousClock.now
    let change = { (options: inout SweepOptions) in
      options.lease = 3000
      options.concurrency = 2
      options.maximumRate = 20
    }
    // By the machine's clock, as leases go on while nobody moves the scene's.
    let clock: @Sendable () -> Instant = {
      CannedAnswer.purchase + Milliseconds.hour
        + Int64((ContinuousClock.now - started) / .milliseconds(1))
    }
    func sweep() throws -> Sweep {
      try Sweep(
        .all, of: scene.store, secrets: scene.secrets, options: scene.options(change), clock: clock,
        chance: { 0.5 })
    }
    let first = try sweep()
    let ends = SweepEnds(2)
    ends.run(first)
    // The sweep may be committing just then.
    var patient = Configuration()
    patient.busyMode = .timeout(10)
    let writer = try DatabaseQueue(path: path, configuration: patient)
    let answered = { (db: Database) in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM receipts WHERE last_checked_at_ms IS NOT NULL") ?? 0
    }
    while try writer.read(answered) < 3 { usleep(10_000) }
    let held = try writer.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      let held = ContinuousClock.now
      usleep(6_000_000)
      try db.execute(sql: "COMMIT")
      return held
    }
    let released = ContinuousClock.now
    ends.run(try sweep())
    #expect(ends.wait())
    let all = sent.withLock { $0 }
    let inTheDark = all.filter { $0.1 > held + .milliseconds(3900) && $0.1 < released - .milliseconds(50) }
    #expect(inTheDark.isEmpty, "sent while the leases were out")
    #expect(Set(all.map(\.0)).count == 60)
    // The second sweep asks again about what was committed before it began; neither asks about what the other holds.
    let sentAgain = Dictionary(grouping: all.filter { $0.1 > released }, by: \.0).filter {
      $0.value.count > 1
    }
    #expect(sentAgain.isEmpty)
  }

  @Test func progressIsToldWhileNothingIsCommitted() throws {
    let isTold = Flag()
    let scene = try SweepScene(receipts: 2) { call in
      let patience = ContinuousClock.now + .seconds(120)
      while !isTold.isSet, ContinuousClock.now < patience { usleep(10_000) }
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
      if count >= 2, progress.elapsed >= 900 { isTold.set() }
    })
    _ = try sweep.run()
    #expect(isTold.isSet)
    let waiting = seen.withLock { $0 }
    #expect(waiting.allSatisfy { $0.total == 2 })
  }
}

/// Runs sweeps at the same time and waits for all of them.
private final class SweepEnds: Sendable {
  private let left: Mutex<Int>

  init(_ count: Int) { left = Mutex(count) }

  func run(_ sweep: Sweep) {
    DispatchQueue(label: "sweep").async { [self] in
      _ = try? sweep.run()
      left.withLock { $0 -= 1 }
    }
  }

  func wait() -> Bool {
    for _ in 0..<6000 {
      if left.withLock({ $0 == 0 }) { return true }
      usleep(10_000)
    }
    return false
  }
}
