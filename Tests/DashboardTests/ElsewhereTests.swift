import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("Keys that do nothing") struct ElsewhereTests {
  static let chain = ["f", "310000831360853", "enter"]

  @Test(
    "say where they work where they do nothing",
    arguments: [
      ([], "a", "a only works on Cohorts (7)."),
      ([], "b", "b only works on Cohorts (7) and Movement (2)."),
      ([], "i", "i only works on Movement (2) and Reconcile (C)."),
      ([], "D", "D only works on Sweep (W)."),
      ([], "J", "J only works on search results and a subscription history."),
      ([], "v", "v only works on the rows behind a figure and search results."),
      ([], "n", "There is no list to search here."),
      (["W"], "w", "w only works on the other panels."),
      (["W"], "=", "= only works on the other panels."),
      (["W"], "t", "t only works on lists of subscriptions or receipts."),
      (chain, "L", "L only works on lists of subscriptions or receipts."),
      (chain + ["J", "J"], "enter", "Enter only works on lists."),
      (chain + ["J", "J"], "/", "/ only works on lists."),
      (["?"], "v", "v only works on the rows behind a figure and search results."),
      (["9", "g", "g", "enter"], "D", "D only works on Sweep (W)."),
    ] as [([String], String, String)])
  func elsewhere(_ screen: [String], _ key: String, _ words: String) {
    var bench = Bench.opened()
    for before in screen { bench.press(before) }
    let before = bench.effects.count
    bench.press(key)
    #expect(bench.effects.count == before)
    #expect(bench.canvas.text().last?.contains(words) == true, "\(bench.screen)")
  }

  @Test("are said in help to work elsewhere, where they do nothing below it")
  func elsewhereInHelp() {
    var bench = Bench.opened(120, 40)
    bench.press("?", "/", "command:copy-ticket", "enter")
    #expect(
      bench.screen.contains("text for a ticket; on a subscription history"),
      "\(bench.screen)")
    bench.press("/", "^U", "command:next-window", "enter")
    #expect(!bench.screen.contains("; on "), "\(bench.screen)")
  }

  @Test("that are typed, or that are none, say nothing")
  func typed() {
    var bench = Bench.opened()
    bench.press("f", "abiDJvnN", "esc", "4", "/", "abiDJv=", "^U", "enter", ":", "abiDJv", "esc", "!", "\\")
    bench.press("M")
    #expect(!bench.screen.contains("only works on"), "\(bench.screen)")
  }

  @Test("are said to work where they are bound")
  func reboundElsewhere() throws {
    let keys = try KeyMap.standard.rebinding(["sweep": [.character("8")], "ask-apple": [.character("!")]])
    var bench = Bench(keys: keys)
    bench.send(.opened)
    bench.press("D")
    #expect(bench.screen.contains("D only works on Sweep (8)."), "\(bench.screen)")
    bench.press("!")
    #expect(bench.screen.contains("! only works on the rows behind a figure and search results."))
  }

  @Test("are said to work elsewhere by the names of their commands too", arguments: [true, false])
  func elsewhereByName(_ isReadOnly: Bool) {
    var bench = Bench(80, 24, isReadOnly: isReadOnly)
    bench.send(.opened)
    bench.press(":", "split", "enter")
    #expect(bench.screen.contains("split only works on Movement (2)."), "\(bench.screen)")
    bench.press("^U", "ask-apple", "enter")
    let words =
      isReadOnly ? "Read-only: sweeps are switched off." : "ask-apple only works on the rows behind a figure"
    #expect(bench.screen.contains(words), "\(bench.screen)")
    bench.press("^U", "splot", "enter")
    #expect(bench.screen.contains("there is no command splot"))
  }
}
