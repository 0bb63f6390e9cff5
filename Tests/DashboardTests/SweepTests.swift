import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("A sweep") struct SweepTests {
  @Test("starts once, is stopped once, and each is said")
  func startAndStop() {
    var bench = Bench.opened()
    bench.press("s")
    #expect(bench.effects.last == .startSweep(.due))
    #expect(bench.screen.contains("Sweep starting"))
    bench.press("S")
    #expect(bench.effects.last == .startSweep(.due))
    #expect(bench.screen.contains("A sweep is running; x stops it."))
    bench.press("x")
    #expect(bench.effects.last == .stopSweep)
    bench.send(.sweepProgress(Sample.progress(done: 100)))
    #expect(bench.screen.contains("Stopping"))
    bench.send(.sweepFinished(Sample.summary(.interrupted)))
    #expect(bench.screen.contains("Sweep stopped after 2,412 receipts"))
    bench.press("s")
    #expect(bench.effects.last == .startSweep(.due))
  }

  @Test(
    "that ends early says why",
    arguments: [
      (SweepSummary.Stop.secretRefused, "refused the shared secret"), (.unreachable, "could not be reached"),
    ])
  func stopped(_ stop: SweepSummary.Stop, _ words: String) {
    var bench = Bench.opened()
    bench.press("s")
    bench.send(.sweepFinished(Sample.summary(stop)))
    #expect(bench.screen.contains(words))
  }

  @Test("that fails is said in full, and stays said")
  func failed() {
    let reason =
      "Sweeping: no shared secret is set for com.example.pro. Set SUBTOP_SHARED_SECRET, or name a file in the configuration."
    var bench = Bench.opened()
    bench.press("s")
    bench.send(.sweepFailed(reason))
    #expect(bench.screen.contains("configuration."))
    Golden.expect(bench.canvas, "sweep-failed-80x24")
    bench.wait(60_000)
    #expect(!bench.screen.contains("configuration."))
    #expect(bench.screen.contains("no shared secret"))
  }

  @Test("starts by itself where the rhythm says so, but not after a refusal, and not read-only")
  func byItself() {
    var bench = Bench(rhythm: Rhythm(refresh: nil, sweep: 3000))
    bench.send(.opened)
    #expect(bench.state.wakesAt == 3000)
    bench.wait(3000)
    #expect(bench.effects.last == .startSweep(.due))
    bench.wait(9000)
    #expect(bench.effects.filter { $0 == .startSweep(.due) }.count == 1)
    bench.send(.sweepFinished(Sample.summary()))
    #expect(!bench.screen.contains("Swept"), "nobody asked")
    bench.wait(3000)
    bench.send(.sweepFinished(Sample.summary(.secretRefused)))
    #expect(bench.screen.contains("refused the shared secret"))
    bench.wait(9000)
    #expect(bench.effects.filter { $0 == .startSweep(.due) }.count == 2)
    var readOnly = Bench(isReadOnly: true, rhythm: Rhythm(refresh: nil, sweep: 3000))
    readOnly.send(.opened)
    readOnly.wait(9000)
    #expect(!readOnly.effects.contains(.startSweep(.due)))
  }
}
