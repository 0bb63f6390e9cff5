import Glibc
import Subscriptions
import Sweep
import Synchronization
import TestSupport
import Testing

@Suite(.blocking) struct SweepBackgroundTests {
  /// The clock is called on every thread of a sweep, so it can record their niceness.
  @Test func runsAtLowPriority() throws {
    let scene = try SweepScene(receipts: 300) { CannedAnswer.valid($0.receipt) }
    let niceness = Mutex<Set<Int32>>([])
    let end = SweepEnd()
    let now = scene.clock.now
    let sweep = try Sweep(
      .due, of: scene.store, secrets: scene.secrets, options: scene.options(),
      clock: {
        let mine = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        niceness.withLock { _ = $0.insert(mine) }
        return now
      },
      watcher: end.take)
    niceness.withLock { $0 = [] }
    sweep.start()
    #expect(try end.wait().counts.validated == 300)
    #expect(niceness.withLock { $0.min() } ?? 0 >= 10)
  }
}
