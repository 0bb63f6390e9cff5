import Dispatch
import ReceiptStore
import Subscriptions
import Sweep
import Synchronization
import TestSupport
import Testing

/// Requests for immediate validation during a sweep of many receipts.
@Suite(.blocking) struct SweepHastenTests {
  /// Store whose receipts were all validated once; later requests about the first one block.
  private func scene(
    _ receipts: Int, waits: Flag, reached: DispatchSemaphore, gate: DispatchSemaphore
  ) throws -> SweepScene {
    let scene = try SweepScene(receipts: receipts, user: "anna") { call in
      if waits.isSet, call.receipt == SweepScene.receipt(0) {
        reached.signal()
        _ = gate.isSignalled()
      }
      return CannedAnswer.valid(call.receipt)
    }
    let other = ImportedReceipt(
      data: CannedReceipt.data("MIIbert"), appUserID: AppUserID("bert"), bundleID: nil)
    _ = try scene.store.add([other], at: scene.clock.now)
    _ = try scene.sweep(.all).run()
    scene.clock.advance(Milliseconds.hour)
    waits.set()
    return scene
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let selection: SweepSelection
    /// Name of the receipt to validate first.
    let receipt: String
    /// Number of receipts in the whole sweep.
    let picked: Int

    /// Chain of that receipt in `CannedAnswer`.
    var chain: SweepSelection { .chain(OriginalTransactionID(receipt + "0")) }
  }

  @Test(arguments: [
    Case(
      testDescription: "one that the sweep has taken up", selection: .user(AppUserID("anna")),
      receipt: SweepScene.receipt(7), picked: 10),
    Case(
      testDescription: "one that is none of its own", selection: .user(AppUserID("anna")), receipt: "MIIbert",
      picked: 11),
  ])
  func comesNext(_ wanted: Case) throws {
    let (waits, reached, gate) = (Flag(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let scene = try scene(10, waits: waits, reached: reached, gate: gate)
    let before = scene.calls.count
    let end = SweepEnd()
    let sweep = try scene.sweep(wanted.selection, options: { $0.concurrency = 1 }, watcher: end.take)
    sweep.start()
    #expect(reached.isSignalled())
    #expect(sweep.hasten(wanted.chain))
    gate.signal()
    let summary = try end.wait()
    let calls = scene.calls.dropFirst(before).map(\.receipt)
    #expect(calls.prefix(2) == [SweepScene.receipt(0), wanted.receipt])
    #expect(calls.count == wanted.picked, "each is asked about once")
    #expect(summary.stopped == nil)
    #expect(summary.counts.picked == wanted.picked && summary.counts.validated == wanted.picked)
    #expect(!sweep.hasten(wanted.chain), "a sweep that is over takes nothing up")
    #expect(try scene.sweep(wanted.chain).run().counts.picked == 1, "no lease is left")
  }

  /// The first receipt failed and waits for a retry.
  @Test(arguments: [
    ("another one, when the retry has come due", Int64(0), 7, [0, 7, 0]),
    ("that one, whose time has not come", Milliseconds.day, 0, [0, 0, 1]),
  ])
  func comesBeforeRetries(_ name: String, _ pause: Int64, _ wanted: Int, _ first: [Int]) throws {
    let (reached, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let asked = Mutex<Set<String>>([])
    let scene = try SweepScene(receipts: 10) { call in
      let isFirst = asked.withLock { $0.insert(call.receipt).inserted }
      guard isFirst, call.receipt == SweepScene.receipt(0) else { return CannedAnswer.valid(call.receipt) }
      reached.signal()
      _ = gate.isSignalled()
      return .answer("", status: 503)
    }
    let (failed, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let sweep = try scene.sweep(
      .all,
      options: {
        $0.concurrency = 1
        $0.tries = 2
        $0.pause = Backoff(base: pause, longest: pause)
      },
      watcher: {
        switch $0 {
        case .progress(let progress): if progress.waitingForRetry > 0 { failed.signal() }
        case .finished: ended.signal()
        case .failed: break
        }
      })
    sweep.start()
    #expect(reached.isSignalled())
    sweep.pause()
    gate.signal()
    #expect(failed.isSignalled())
    #expect(sweep.hasten(.receipt(ReceiptID(rawValue: Int64(wanted) + 1))))
    sweep.resume()
    #expect(ended.isSignalled())
    let calls = scene.calls.map(\.receipt)
    #expect(calls.prefix(3) == first.map(SweepScene.receipt)[...], "\(name)")
    #expect(calls.count == 11)
  }

  @Test func doesNotHastenReceiptsOfAnotherSweep() throws {
    let (waits, reached, gate) = (Flag(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let scene = try scene(3, waits: waits, reached: reached, gate: gate)
    let other = try scene.store.beginSweep(.all, by: "test", at: scene.clock.now)
    let held = try scene.store.claim(
      .user(AppUserID("bert")), for: other, started: scene.clock.now, after: nil, limit: 9,
      lease: Milliseconds.hour, at: scene.clock.now)
    #expect(held.receipts.count == 1)
    let end = SweepEnd()
    let sweep = try scene.sweep(
      .user(AppUserID("anna")), options: { $0.concurrency = 1 }, watcher: end.take)
    let before = scene.calls.count
    sweep.start()
    #expect(reached.isSignalled())
    #expect(sweep.hasten(.chain(OriginalTransactionID("MIIbert0"))))
    gate.signal()
    _ = try end.wait()
    #expect(!scene.calls.dropFirst(before).map(\.receipt).contains("MIIbert"))
  }

  @Test func beforeTheSweepHasBegunItWaitsForThat() throws {
    let scene = try SweepScene(receipts: 3) { CannedAnswer.valid($0.receipt) }
    _ = try scene.sweep(.all).run()
    let before = scene.calls.count
    let sweep = try scene.sweep(.due, options: { $0.concurrency = 1 })
    #expect(sweep.hasten(.chain(OriginalTransactionID(SweepScene.receipt(2) + "0"))))
    #expect(try sweep.run().counts.validated == 1)
    #expect(scene.calls.dropFirst(before).map(\.receipt) == [SweepScene.receipt(2)])
  }
}

@Suite(.blocking) struct SweepListTests {
  @Test func sweepsOnlyListedReceipts() throws {
    let scene = try SweepScene(receipts: 2500) { CannedAnswer.valid($0.receipt) }
    let wanted = stride(from: 1, through: 2500, by: 2).map { ReceiptID(rawValue: Int64($0)) }
    let list = SweepSelection.listed(ListedReceipts(wanted.reversed() + wanted, of: "every other"))
    #expect(try scene.store.estimate(of: list, at: scene.clock.now).free == 1250)
    let counts = try scene.sweep(list).run().counts
    #expect(counts.picked == 1250 && counts.validated == 1250)
    #expect(Set(scene.calls.map(\.receipt)).count == 1250)
    let record = try scene.store.sweeps(limit: 1, at: scene.clock.now).first
    #expect(record?.selection == "1250 of every other")
    #expect(try scene.sweep(.listed(ListedReceipts([], of: "nothing"))).run().counts == SweepCounts())
  }

  @Test func recordsChangedAndFailedReceipts() throws {
    let scene = try SweepScene(receipts: 6, app: "com.example.app") { call in
      switch call.receipt {
      case SweepScene.receipt(1): CannedAnswer.status(21003)
      case SweepScene.receipt(2): CannedAnswer.status(21005)
      case SweepScene.receipt(3): CannedAnswer.valid(call.receipt, app: "com.example.other")
      default: CannedAnswer.valid(call.receipt)
      }
    }
    let summary = try scene.sweep(.all).run()
    let (store, now) = (scene.store, scene.clock.now)
    let sweep = try #require(try store.sweeps(limit: 1, at: now).first?.id)
    let lines = try store.receipts(.ofSweep(sweep), limit: 100, at: now)
    let kinds = Dictionary(grouping: lines.rows, by: \.swept).mapValues(\.count)
    #expect(kinds[.changed] == summary.counts.changed)
    #expect(kinds[.later] ?? 0 == summary.counts.retryLater)
    #expect(kinds[.rejected] ?? 0 == summary.counts.rejected)
    #expect(
      lines.count == lines.rows.count && lines.rows.allSatisfy { ($0.why == nil) == ($0.swept == .changed) })
    // The second sweep changes nothing, so no receipts are recorded for it.
    _ = try scene.sweep(
      .listed(ListedReceipts(lines.rows.filter { $0.swept == .changed }.map(\.id), of: "x"))
    ).run()
    let second = try #require(try store.sweeps(limit: 1, at: now).first?.id)
    #expect(try store.receipts(.ofSweep(second), limit: 100, at: now).count == 0)
  }
}
