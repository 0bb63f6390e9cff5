import Dispatch
import ReceiptStore
import Subscriptions
import Sweep
import Synchronization
import TestSupport
import Testing

@Suite(.blocking) struct SweepTroubleTests {
  @Test func anAppStoreThatFailsInMidSweepEndsItEarly() throws {
    let isBroken = Flag()
    let answered = Atomic(0)
    let scene = try SweepScene(receipts: 1000) { call in
      if answered.add(1, ordering: .relaxed).newValue > 100 { isBroken.set() }
      return isBroken.isSet ? .answer("<html>", status: 503) : CannedAnswer.valid(call.receipt)
    }
    let summary = try scene.sweep(options: { $0.concurrency = 4 }).run()
    #expect(summary.stopped == .unavailable)
    #expect(summary.counts.validated == 100)
    // Twenty in a row, plus requests that were in flight before and after.
    let most = 20 + 3 + 3
    #expect(summary.counts.retryLater <= most)
    #expect(summary.counts.done + summary.counts.givenBack == summary.counts.picked)
    #expect(try scene.status().dueNow >= 1000 - 100 - most)
  }

  @Test func retryAfterPausesAllRequests() throws {
    let first = Mutex<ContinuousClock.Instant?>(nil)
    let early = Atomic(0)
    let scene = try SweepScene(receipts: 30) { call in
      let isFirst = first.withLock { first in
        defer { first = first ?? .now }
        return first == nil
      }
      if isFirst { return .answer("", status: 429, headers: ["Retry-After: 1"]) }
      // A slow machine can only send requests later.
      if let start = first.withLock({ $0 }), ContinuousClock.now - start < .milliseconds(900) {
        early.add(1, ordering: .relaxed)
      }
      return CannedAnswer.valid(call.receipt)
    }
    let summary = try scene.sweep(options: {
      $0.concurrency = 1
      $0.tries = 2
    }).run()
    #expect(summary.counts.validated == 30)
    #expect(summary.counts.retried == 1)
    #expect(early.load(ordering: .relaxed) == 0)
  }

  @Test func aLongRetryAfterStopsTheSweep() throws {
    let scene = try SweepScene(receipts: 300) { _ in
      .answer("", status: 503, headers: ["Retry-After: 3600"])
    }
    let summary = try scene.sweep(options: {
      $0.concurrency = 1
      $0.tries = 3
    }).run()
    #expect(summary.stopped == .unavailable)
    #expect(scene.calls.count == 1)
    #expect(try scene.status().dueNow == 299)
    #expect(summary.notBeforeMs == scene.clock.now + Milliseconds.hour)
  }

  struct Silence: CustomTestStringConvertible {
    let testDescription: String
    let header: String
    /// Whether the next sweep sends requests, by milliseconds after the answer.
    let asks: [Int64: Bool]
  }

  static let minute = Milliseconds.minute
  static let silences = [
    Silence(
      testDescription: "ten minutes", header: "600",
      asks: [0: false, 7 * minute: false, 10 * minute: true]),
    Silence(
      testDescription: "a week, of which an hour is believed", header: "604800",
      asks: [0: false, 59 * minute - 3 * minute: false, 60 * minute: true]),
    Silence(testDescription: "a clock that ran ahead", header: "600", asks: [-86_400_000: true]),
  ]

  @Test(arguments: silences) func laterSweepsRespectRetryAfter(_ one: Silence) throws {
    for (wait, asks) in one.asks.sorted(by: { $0.key < $1.key }) {
      let isOver = Flag()
      let scene = try SweepScene(receipts: 3) { call in
        isOver.isSet
          ? CannedAnswer.valid(call.receipt)
          : .answer("", status: 429, headers: ["Retry-After: \(one.header)"])
      }
      _ = try scene.sweep(options: { $0.concurrency = 1 }).run()
      isOver.set()
      scene.clock.advance(wait)
      let calls = scene.calls.count
      let next = try scene.sweep(.all).run()
      #expect((next.stopped == nil) == asks && (scene.calls.count > calls) == asks, "after \(wait)")
      if !asks {
        #expect(next.stopped == .unavailable && next.counts.picked == 0)
        #expect(try scene.store.sweeps(limit: 1, at: scene.clock.now).first?.notBeforeMs == next.notBeforeMs)
      }
    }
  }

  @Test func theNextSweepWaitsForAShortRetryAfter() throws {
    let isOver = Flag()
    let scene = try SweepScene(receipts: 2) { call in
      isOver.isSet
        ? CannedAnswer.valid(call.receipt) : .answer("", status: 503, headers: ["Retry-After: 600"])
    }
    _ = try scene.sweep(options: { $0.concurrency = 1 }).run()
    isOver.set()
    scene.clock.advance(10 * Milliseconds.minute - 1200)
    let start = ContinuousClock.now
    let next = try scene.sweep(.all).run()
    #expect(next.stopped == nil && next.counts.validated == 2)
    #expect(ContinuousClock.now - start >= .milliseconds(1100))
  }

  @Test func countsReceiptsHeldByAnotherSweep() throws {
    let scene = try SweepScene(receipts: 5) { CannedAnswer.valid($0.receipt) }
    let other = try scene.store.beginSweep(.due, by: "cron", at: scene.clock.now)
    _ = try scene.store.claim(
      .due, for: other, started: scene.clock.now, after: nil, limit: 5, lease: Milliseconds.minute,
      at: scene.clock.now)
    let summary = try scene.sweep().run()
    #expect(summary.held == 5 && summary.counts.picked == 0 && scene.calls.isEmpty)
  }

  @Test func aBurstOf21002IsNotCountedAgainstReceipts() throws {
    let isOutage = Flag()
    let scene = try SweepScene(receipts: 60) { call in
      isOutage.isSet ? CannedAnswer.status(21002) : CannedAnswer.valid(call.receipt)
    }
    isOutage.set()
    for _ in 0..<8 { _ = try scene.sweep(.all).run() }
    #expect(try scene.status().dead == 0)
    scene.clock.advance(4 * Milliseconds.day)
    for _ in 0..<2 { _ = try scene.sweep(.all).run() }
    #expect(try scene.status().dead == 60)
  }

  @Test func aPausedSweepSendsNothingAndResumes() throws {
    let scene = try SweepScene(receipts: 200) { CannedAnswer.valid($0.receipt) }
    let paused = DispatchSemaphore(value: 0)
    let end = SweepEnd()
    let sweep = try scene.sweep(
      options: { $0.concurrency = 2 },
      watcher: { event in
        if case .progress(let progress) = event, progress.activity == .paused { paused.signal() }
        end.take(event)
      })
    sweep.pause()
    sweep.start()
    #expect(paused.isSignalled())
    #expect(scene.calls.isEmpty)
    sweep.resume()
    #expect(try end.wait().counts.validated == 200)
  }

  @Test func aPausedSweepCanBeStopped() throws {
    let scene = try SweepScene(receipts: 20) { CannedAnswer.valid($0.receipt) }
    let sweep = try scene.sweep()
    sweep.pause()
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { sweep.cancel() }
    let summary = try sweep.run()
    #expect(summary.stopped == .interrupted)
    #expect(scene.calls.isEmpty)
    #expect(try scene.status().dueNow == 20)
  }
}
