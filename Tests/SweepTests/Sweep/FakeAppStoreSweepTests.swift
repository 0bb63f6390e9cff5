import FakeAppStore
import ReceiptStore
import Subscriptions
import Sweep
import Testing

/// The sweep against an App Store with a population of every kind.
@Suite struct FakeAppStoreSweepTests {
  @Test func everyReceiptIsDoneAndASecondSweepFindsNothingChanged() async throws {
    let scene = try await FakeAppStoreScene()
    let first = try await scene.sweep()
    #expect(first.stopped == nil)
    #expect(first.counts.picked == FakeAppStoreScene.subscribers)
    #expect(first.counts.retryLater == 0)
    #expect(first.counts.validated + first.counts.rejected == FakeAppStoreScene.subscribers)
    #expect(2 * first.counts.rejected == first.counts.byStatus[21010] ?? 0)
    #expect(first.counts.rerouted > 0)
    #expect(first.counts.rerouted == first.counts.byStatus[21007])
    let known = try scene.figures()
    let second = try await scene.sweep(.all)
    #expect(second.counts.picked == first.counts.validated)
    #expect(second.counts.unchanged == first.counts.validated)
    #expect(second.counts.changed == 0)
    #expect(second.counts.rerouted == 0)
    #expect(try scene.figures() == known)
  }

  @Test func aMonthLaterThereIsNewsAndNothingIsLost() async throws {
    let scene = try await FakeAppStoreScene()
    _ = try await scene.sweep()
    let before = try scene.store.status(at: scene.clock.now, check: false)
    scene.clock.advance(by: 31 * Milliseconds.day)
    let later = try await scene.sweep(.due)
    #expect(later.counts.changed > 0)
    #expect(later.counts.newTransactions > 0)
    let after = try scene.store.status(at: scene.clock.now, check: true)
    #expect(after.transactions == before.transactions + later.counts.newTransactions)
    #expect(after.integrity == "ok")
  }

  @Test func aWrongSecretChangesNothing() async throws {
    let scene = try await FakeAppStoreScene(subscribers: 60)
    let summary = try await scene.sweep(secret: "not-the-secret")
    #expect(summary.stopped == .secretRefused)
    #expect(try scene.store.status(at: scene.clock.now, check: false).transactions == 0)
  }

  @Test func whatWasInterruptedIsTakenUpAgain() async throws {
    let whole = try await FakeAppStoreScene()
    let reference = try await whole.sweep()
    // Slow enough that the first progress to be heard of is not the last.
    let scene = try await FakeAppStoreScene(latency: 5)
    let first = try await scene.sweep(concurrency: 1) { $0.counts.done > 0 }
    #expect(first.stopped == .interrupted)
    #expect(first.counts.done > 0)
    #expect(first.counts.done < FakeAppStoreScene.subscribers)
    let second = try await scene.sweep(.due)
    #expect(second.counts.picked == FakeAppStoreScene.subscribers - first.counts.done)
    #expect(first.counts.validated + second.counts.validated == reference.counts.validated)
    #expect(try scene.figures() == whole.figures())
  }
}
