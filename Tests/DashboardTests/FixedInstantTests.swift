import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("At a fixed instant") struct FixedInstantTests {
  static let then = Sample.now - 17 * Milliseconds.day

  private func bench(_ size: Size) -> Bench {
    var bench = Bench(size.columns, size.rows, fixedAt: Self.then)
    bench.send(.opened)
    return bench
  }

  @Test("figures are of then, and sweeps and their receipts of now")
  func asked() {
    var bench = bench(Size(columns: 120, rows: 40))
    bench.press("W", "enter")
    #expect(bench.state.context == .receipts)
    bench.press("S")
    #expect(bench.lastQuestion?.at == Self.then && bench.lastQueue?.at == Sample.now)
    #expect(bench.lastCount?.at == Sample.now)
    for effect in bench.effects {
      if case .loadStatus(let at, _) = effect { #expect(at == Sample.now) }
      if case .loadReceipts(_, _, let at, _) = effect { #expect(at == Sample.now) }
    }
  }

  @Test("what is planned has a date, and no distance from then")
  func planned() throws {
    var chain = Sample.chain
    let next = Sample.now + 3 * Milliseconds.hour
    for place in chain.receipts.indices { chain.receipts[place].nextDueAtMs = next }
    for isOfPast in [false, true] {
      let at = isOfPast ? Self.then - 1000 * Milliseconds.day : Sample.now
      let printed = text(of: [chain], at: at, isOfPast: isOfPast, width: 200)
      #expect(printed.contains(isOfPast ? Zone.utc.minute(next) : "in 3 h"), "\(printed)")
      #expect(!printed.contains("in 1017 d"))
    }
  }

  @Test(
    "the sweeps' tab says which of both it is of, and once how much is due", arguments: [Size.usual, .large])
  func screen(_ size: Size) {
    var bench = bench(size)
    #expect(bench.screen.contains("fixed instant"), "\(bench.screen)")
    #expect(bench.screen.contains("last 2 h ago"), "the line of sweeps is of now: \(bench.screen)")
    bench.press("W")
    let lines = bench.canvas.text()
    #expect(lines[0].contains("as of 2026-11-21 09:05 UTC  current sweeps, figures of 2026-11-04 09:05"))
    #expect(!bench.screen.contains("fixed instant"))
    #expect(lines.contains { $0.hasPrefix("Sweep idle") && !$0.contains("due") }, "\(bench.screen)")
    #expect(!bench.screen.contains("last in "))
  }

  @Test("a sweep that a fast clock dated ahead has its date")
  func ahead() {
    var bench = Bench()
    bench.status.lastSweep?.finishedAtMs = Sample.now + 12 * Milliseconds.hour
    bench.send(.opened)
    #expect(bench.screen.contains("Sweep idle  due 134  last 2026-11-21 21:05"), "\(bench.screen)")
  }
}
