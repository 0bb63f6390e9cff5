import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("A sweep of many") struct ConfirmingTests {
  @Test(
    "says how many receipts and how long",
    arguments: [
      (SweepEstimate(free: 2963, rate: 300), "2,963 receipts, about 9 s at the last sweep's speed."),
      (SweepEstimate(free: 2_000_000, rate: 300), "2,000,000 receipts, about 111 min"),
      (SweepEstimate(free: 1, rate: 300), "1 receipt, about 1 s"),
      (SweepEstimate(free: 2963), "2,963 receipts."),
      (SweepEstimate(free: 10, held: 3, rate: nil), "10 receipts. 3 more are already being swept."),
    ])
  func asks(_ estimate: SweepEstimate, _ words: String) {
    var bench = Bench.opened(100, 30)
    bench.estimate = estimate
    bench.press("S")
    #expect(bench.screen.contains("Sweep every receipt?") && bench.words.contains(words), "\(bench.screen)")
    #expect(bench.sweeping.isEmpty)
  }

  @Test("is done by Enter and y", arguments: ["enter", "y", "Y"])
  func yes(_ key: String) {
    var bench = Bench.opened()
    bench.press("S", key)
    #expect(bench.sweeping == [.startSweep(.all)])
    #expect(!bench.screen.contains("Sweep every receipt?"))
  }

  @Test(
    "is not done by any other key, which does nothing else either",
    arguments: [
      "esc", "q", "n", "s", "S", "2", "/", "e", " ", "L", "down", "^S", "D",
    ])
  func no(_ key: String) {
    var bench = Bench.opened()
    let (tab, environment) = (bench.state.tab, bench.state.environment)
    bench.press("S")
    let before = bench.effects.count
    bench.press(key)
    #expect(bench.effects.count == before && bench.screen.contains("Sweep cancelled."))
    #expect(bench.state.prompt == nil && bench.state.tab == tab && bench.state.environment == environment)
    bench.press("enter")
    #expect(bench.sweeping.isEmpty)
  }

  @Test("is not heard of again once it was cancelled")
  func cancelled() throws {
    var bench = Bench.opened(100, 30)
    bench.answers = false
    bench.press("S", "esc")
    bench.send(.failed("The disk is gone.", serial: try #require(bench.lastCount).serial))
    #expect(!bench.screen.contains("The disk is gone."), "\(bench.screen)")
  }

  @Test("waits for the count: who was quicker has said nothing yet")
  func typedAhead() throws {
    var bench = Bench.opened()
    bench.answers = false
    bench.press("S", "enter", "y")
    #expect(bench.sweeping.isEmpty && bench.screen.contains("Counting the receipts"))
    let serial = try #require(bench.lastCount).serial
    bench.send(.sweepCounted(.all, SweepEstimate(free: 5), serial: serial + 1))
    #expect(bench.screen.contains("Counting the receipts"), "another question's answer")
    bench.send(.sweepCounted(.all, SweepEstimate(free: 5), serial: serial))
    bench.press("y")
    #expect(bench.sweeping == [.startSweep(.all)])
  }

  @Test(
    "is none where there is nothing to sweep",
    arguments: [
      (SweepEstimate(free: 0), "none of these receipts can be checked"),
      (SweepEstimate(free: 0, held: 3), "3 receipts are already being swept"),
    ])
  func nothing(_ estimate: SweepEstimate, _ words: String) {
    var bench = Bench.opened(100, 30)
    bench.estimate = estimate
    bench.press("S")
    #expect(bench.screen.contains(words))
    bench.press("enter")
    #expect(bench.sweeping.isEmpty)
  }

  @Test("is said not to be known where the store cannot be read")
  func failed() throws {
    var bench = Bench.opened(100, 30)
    bench.answers = false
    bench.press("S")
    bench.send(.failed("The store is gone.", serial: try #require(bench.lastCount).serial))
    #expect(bench.screen.contains("The store is gone.") && !bench.screen.contains("Sweep every receipt?"))
  }

  @Test(
    "begins when the one that runs is through, unless that was stopped",
    arguments: [
      (nil, true), (SweepSummary.Stop.secretRefused, true), (.interrupted, false), (.unreachable, false),
    ] as [(SweepSummary.Stop?, Bool)])
  func queued(_ stop: SweepSummary.Stop?, _ begins: Bool) {
    var bench = Bench.opened(100, 30)
    bench.press("s", "S")
    #expect(bench.words.contains("Another sweep is running; this one starts when it ends."))
    bench.press("y")
    #expect(bench.sweeping == [.startSweep(.due)])
    bench.send(.sweepFinished(Sample.summary(stop)))
    #expect(bench.sweeping == [.startSweep(.due)] + (begins ? [.startSweep(.all)] : []))
  }

  @Test("of one subscription comes first in the sweep that runs, or is one of its own where that was through")
  func first() {
    let chain = SweepSelection.chain(Sample.chain.originalTransactionId)
    var bench = Bench.opened()
    bench.press("f", "310000831360853", "enter", "s", "v")
    #expect(bench.screen.contains("Checking this history with Apple first"))
    #expect(bench.sweeping == [.startSweep(.due), .sweepFirst(chain)])
    bench.send(.sweepFinished(Sample.summary()))
    bench.send(.sweepTooLate(chain))
    #expect(bench.sweeping.last == .startSweep(chain))
  }

  @Test(
    "estimates by a whole sweep, not by one that was stopped",
    arguments: [(nil, "about 10 s"), (.interrupted, "about 9 s")] as [(SweepSummary.Stop?, String)])
  func estimate(_ stop: SweepSummary.Stop?, _ words: String) {
    var bench = Bench.opened()
    bench.send(.sweepFinished(Sample.summary(stop)))
    bench.press("S")
    #expect(bench.words.contains("2,963 receipts, \(words) at the last sweep's speed."), "\(bench.screen)")
  }

  @Test("looks so, and is asked in a small window too")
  func picture() {
    var bench = Bench.opened()
    bench.press("S")
    Golden.expect(bench.canvas, "confirming")
    bench.send(.input(.resize(.small)))
    #expect(bench.words.contains("2,963 receipts, about 9 s at the last sweep's speed."))
    #expect(bench.words.contains("Enter or y sweeps; any other key cancels."), "\(bench.screen)")
  }
}
