import Dashboard
import Screen
import Subscriptions
import Testing

/// Keys and their expected effects, except queries.
struct SweepScript: CustomTestStringConvertible, Sendable {
  let keys: [String]
  let wanted: [Effect]
  let said: String
  var testDescription: String { keys.joined(separator: " ") }

  init(_ keys: String..., wanted: [Effect], said: String) {
    (self.keys, self.wanted, self.said) = (keys, wanted, said)
  }

  static let all = [
    SweepScript("W", "s", wanted: [.startSweep(.due)], said: "starting"),
    SweepScript("W", "S", wanted: [], said: "Sweep every receipt?"),
    SweepScript("W", "S", "enter", wanted: [.startSweep(.all)], said: "all receipts, started here"),
    SweepScript("W", "D", wanted: [.startSweep(.dead)], said: "given-up receipts, started here"),
    SweepScript("3", "D", wanted: [], said: "By product"),
    SweepScript("W", "v", wanted: [], said: "idle"),
    SweepScript(
      "f", "310000831360853", "enter", "v",
      wanted: [.startSweep(.chain(Sample.chain.originalTransactionId))],
      said: "Checking subscription history"),
    SweepScript(
      "9", "g", "j", "enter", "v",
      wanted: [.startSweep(.chain(Sample.chain.originalTransactionId))],
      said: "Checking subscription history"),
    SweepScript("W", "s", "p", wanted: [.startSweep(.due), .pauseSweep], said: "starting"),
    SweepScript(
      "W", "s", "p", "p", wanted: [.startSweep(.due), .pauseSweep, .resumeSweep], said: "p pause"),
    SweepScript("4", "s", "p", wanted: [.startSweep(.due), .pauseSweep], said: "Sweep starting"),
    SweepScript("W", "p", wanted: [], said: "No sweep is running."),
    SweepScript(
      "W", "s", "x", "p", wanted: [.startSweep(.due), .stopSweep], said: "The sweep is stopping."),
    SweepScript(
      "W", "s", "S", "enter", "x", wanted: [.startSweep(.due), .stopSweep],
      said: "The sweep that was to start next is cancelled too."),
    SweepScript("W", "s", "D", wanted: [.startSweep(.due)], said: "this one starts when it ends."),
    SweepScript("W", "s", "s", wanted: [.startSweep(.due)], said: "A sweep is already running; x stops it."),
    SweepScript(
      "W", "s", "p", "f", "310000831360853", "enter", "v",
      wanted: [.startSweep(.due), .pauseSweep, .sweepFirst(.chain(Sample.chain.originalTransactionId))],
      said: "The sweep is paused. When resumed, it checks this history first."),
  ]
}

@Suite("Sweep keys") struct SweepKeyTests {
  @Test("do it once, and only where it can be done", arguments: SweepScript.all)
  func scripts(_ script: SweepScript) {
    var bench = Bench.opened(120, 40)
    for key in script.keys { bench.press(key) }
    #expect(bench.sweeping == script.wanted)
    #expect(bench.screen.contains(script.said))
  }

  @Test("are gone under --readonly", arguments: SweepScript.all.filter { !$0.wanted.isEmpty })
  func readOnly(_ script: SweepScript) {
    var bench = Bench.opened(120, 40, isReadOnly: true)
    for key in script.keys { bench.press(key) }
    #expect(bench.sweeping.isEmpty)
    #expect(bench.screen.contains("Read-only: sweeps are switched off."))
    bench.wait(9000)
    for hint in ["s sweep", "S all", "D given up", "p pause", "v check", "s sweeps them"] {
      #expect(!bench.screen.contains(hint))
    }
  }

  @Test("show whether the sweep has heard of the pause")
  func pausing() {
    var bench = Bench.opened(120, 40)
    bench.press("W", "s")
    bench.send(.sweepProgress(Sample.progress(.running)))
    bench.press("p")
    #expect(bench.screen.contains("pausing  48 requests in flight"))
    bench.send(.sweepProgress(Sample.progress(.running)))
    #expect(bench.screen.contains("pausing"))
    bench.send(.sweepProgress(Sample.progress(.paused)))
    #expect(bench.screen.contains("paused"))
    #expect(bench.screen.contains("p resume"))
    bench.press("p")
    #expect(bench.effects.last == .resumeSweep)
    bench.send(.sweepProgress(Sample.progress(.running)))
    #expect(bench.screen.contains("running"))
    bench.press("p")
    bench.send(.sweepFinished(Sample.summary()))
    bench.press("s")
    bench.send(.sweepProgress(Sample.progress(.running)))
    #expect(bench.screen.contains("● running"), "a pause is of one sweep")
  }

  @Test("open the receipts of a status, of which each opens its subscriptions, and lead back")
  func receiptsOfAStatus() {
    var bench = Bench.opened()
    bench.press("W", "enter")
    let asked = bench.newest { effect in
      if case .loadReceipts(let question, _, let at, _) = effect { (question, at) } else { nil }
    }
    #expect(asked?.0 == .status(0, since: Sample.queue.sweeps.first?.startedAtMs) && asked?.1 == Sample.now)
    #expect(bench.state.context == .receipts && bench.screen.contains("Receipts with status 0"))
    bench.press("enter")
    #expect(
      bench.newest { if case .findReceipt(let id, _, _) = $0 { id } else { nil } } == Sample.receipt(41))
    #expect(bench.state.context == .chain)
    bench.press("q", "q")
    #expect(bench.state.context == .sweep)
  }

  @Test("find nothing for a receipt of which no subscription is known")
  func unknownReceipt() throws {
    var bench = Bench.opened()
    bench.press("W", "enter")
    bench.answers = false
    bench.press("enter")
    let serial = bench.newest { if case .findReceipt(_, _, let serial) = $0 { serial } else { nil } }
    bench.send(.found([], serial: try #require(serial)))
    #expect(bench.screen.contains("Receipt 41 has no known subscription."))
  }
}

extension Bench {
  var sweeping: [Effect] {
    effects.filter { effect in
      switch effect {
      case .startSweep, .sweepFirst, .pauseSweep, .resumeSweep, .stopSweep: true
      default: false
      }
    }
  }
}
