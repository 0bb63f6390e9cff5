import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("Viewing") struct ViewingTests {
  @Test("goes through the windows and then to all that is known")
  func windows() {
    var bench = Bench.opened()
    var seen: [Int] = []
    for _ in 0..<5 {
      bench.press("w")
      seen.append(bench.state.windowDays)
    }
    #expect(seen == [90, 365, 901, 7, 28])
    bench.press(":", "window all", "enter")
    #expect(bench.state.windowDays == 901)
    #expect(bench.screen.contains("all, 901 d"))
    #expect(bench.state.tableExport?.notes.contains { $0.value == "all, 901 d" } == true)
  }

  @Test("asks anew where it learns only later how much is known")
  func lateHistory() {
    var bench = Bench()
    bench.answers = false
    var before = Bench.opened()
    before.press("w", "w", "w")
    bench.remember(before.state.remembered)
    bench.send(.opened)
    #expect(bench.state.windowDays == 3650)
    bench.answers = true
    bench.press("R")
    bench.wait(1000)
    #expect(bench.state.windowDays == 901)
    let windows = bench.effects.compactMap { effect in
      if case .load(let question, _) = effect { question.windowDays } else { nil }
    }
    #expect(windows.last == 901)
  }

  @Test("shows times in each zone in turn, and takes the zone over")
  func zones() {
    var bench = Bench.opened(120, 40)
    bench.press("7")
    #expect(bench.screen.contains("2026-11-21 09:05 UTC"))
    bench.press("z")
    #expect(bench.screen.contains("2026-11-21 18:05 JST"))
    #expect(bench.screen.contains("2026-11-21 18:01"), "rows too")
    var next = Bench(120, 40)
    next.remember(bench.state.remembered)
    next.send(.opened)
    #expect(next.screen.contains("JST"))
    bench.press(":", "zone UTC", "enter")
    #expect(bench.screen.contains("2026-11-21 09:05 UTC"))
    bench.press(":", "zone Mars", "enter")
    #expect(bench.screen.contains("zone wants one of UTC, Asia/Tokyo"))
  }

  @Test("shows one product alone, chosen from all")
  func products() {
    var bench = Bench.opened()
    bench.press("P", "/", "yearly", "enter", "j", "enter")
    #expect(bench.state.product == Sample.yearly)
    #expect(bench.state.context == .panel)
    bench.press("P")
    #expect(bench.selectedLine?.contains("yearly") == true)
    bench.press("esc", "g", "enter")
    #expect(bench.state.product == nil)
    var early = Bench()
    early.answers = false
    early.send(.opened)
    early.press("P")
    #expect(early.screen.contains("No product is known yet"))
  }

  @Test("takes back what was said of a product that is no longer alone")
  func toast() {
    var bench = Bench.opened()
    bench.press("G", "enter")
    #expect(bench.screen.contains("alone; Esc shows every product again"))
    bench.press("esc")
    #expect(!bench.screen.contains("alone"))
    #expect(bench.screen.contains("? keys"))
  }

  @Test("shows a chain as JSON and copies it")
  func json() {
    var bench = Bench.opened()
    bench.press("f", "310000831360853", "enter", "J")
    #expect(bench.screen.contains("\"original_transaction_id\""))
    let count = bench.effects.count
    bench.press("y")
    #expect(
      bench.effects.dropFirst(count).contains {
        if case .copy(let text) = $0 { text.hasPrefix("{") } else { false }
      })
    bench.press("esc")
    #expect(bench.state.context == .chain)
    bench.answers = false
    bench.press("J")
    bench.send(.failed("The chain could not be put into JSON: no room.", serial: bench.lastEncoded))
    #expect(bench.state.context == .chain)
    #expect(bench.screen.contains("no room"))
  }
}
