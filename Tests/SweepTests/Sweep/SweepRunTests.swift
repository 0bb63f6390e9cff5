import Dispatch
import ReceiptStore
import Subscriptions
import Sweep
import Synchronization
import TestSupport
import Testing

@Suite(.blocking) struct SweepRunTests {
  @Test func theLengthMatchesTheRecordIfTheClockIsFast() throws {
    let (clock, length) = (SceneClock(), 30 * Milliseconds.second)
    let scene = try SweepScene(receipts: 1, clock: clock) { call in
      clock.advance(length)
      return CannedAnswer.valid(call.receipt)
    }
    let summary = try scene.sweep().run()
    let record = try #require(try scene.store.sweeps(limit: 1, at: clock.now).first)
    #expect(record.finishedAtMs.map { $0 - record.startedAtMs } == length)
    #expect(summary.length == length && summary.elapsed < length)
  }

  @Test func moreReceiptsThanItHoldsInMemory() throws {
    let scene = try SweepScene(receipts: 600) { CannedAnswer.valid($0.receipt) }
    let counts = try scene.sweep(options: { $0.concurrency = 8 }).run().counts
    #expect(counts.picked == 600)
    #expect(counts.validated == 600)
    #expect(Set(scene.calls.map(\.receipt)).count == 600)
    #expect(scene.server.connections <= 8)
  }

  @Test(arguments: [0, 1, 3, 10, 11]) func takesNoMoreThanItsLimit(_ limit: Int) throws {
    let scene = try SweepScene(receipts: 10) { CannedAnswer.valid($0.receipt) }
    let counts = try scene.sweep(options: { $0.limit = limit }).run().counts
    #expect(counts.picked == min(limit, 10))
    #expect(scene.calls.count == min(limit, 10))
  }

  @Test func sendsTheAppsSecretOnlyInTheBody() throws {
    let scene = try SweepScene(receipts: 1, app: "com.example.app") { CannedAnswer.valid($0.receipt) }
    scene.secrets = SharedSecrets { app in
      app == BundleID("com.example.app") ? SharedSecret("of-the-app") : nil
    }
    _ = try scene.sweep().run()
    #expect(scene.calls.map(\.password) == ["of-the-app"])
    let request = try #require(scene.server.requests.first)
    #expect(!request.line.contains("of-the-app"))
    #expect(!request.headers.values.contains { $0.contains("of-the-app") })
  }

  @Test func watchersGetTheSameSummary() throws {
    let events = Mutex<[SweepEvent]>([])
    let scene = try SweepScene(receipts: 50) { CannedAnswer.valid($0.receipt) }
    let summary = try scene.sweep(watcher: { event in events.withLock { $0.append(event) } }).run()
    let seen = events.withLock { $0 }
    guard case .finished(let last)? = seen.last else {
      Issue.record("the last event is no end")
      return
    }
    #expect(last == summary)
    let progress = seen.compactMap { event in
      if case .progress(let progress) = event { progress } else { nil }
    }
    #expect(progress.count == seen.count - 1)
    #expect(progress.first?.counts.done == 0)
    #expect(progress.last?.counts == summary.counts)
    #expect(progress.allSatisfy { $0.total == 50 })
    #expect(progress.allSatisfy { $0.counts.byStatus[0] ?? 0 == $0.counts.validated }, "counted together")
    #expect(progress.map(\.counts.done) == progress.map(\.counts.done).sorted())
  }
}
