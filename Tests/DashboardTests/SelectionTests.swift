import Dashboard
import Screen
import Subscriptions
import TestSupport
import Testing

@Suite("Choosing figures") struct SelectionTests {
  @Test(
    "goes up and down through figures, bars and the list, and aside from block to block",
    arguments: [
      (["6"], "1 week"), (["6", "k"], "Resubscriptions"), (["6", "k", "j"], "1 week"),
      (["6", "k", "l"], "1 week"), (["6", "k", "l", "j"], "1 month"),
      (["6", "k", "l", "j", "h"], "Trials ended"), (["6", "h"], "Trials ended"),
      (["6", "h", "l"], "1 week"), (["6", "h", "k", "k"], "refunded              12"),
      (["6", "g"], "44 paid"), (["6", "j", "g", "g", "G"], "unknown  "),
      (["6", "g", "j", "j", "l"], "Paid or in retry"), (["6", "g", "pgdn"], "New periods"),
      (["1"], "converted on weekly"), (["1", "G", "g", "g"], "converted on weekly"),
      (["1", "j"], "in billing retry"), (["1", "j", "j"], "15 unpriced"),
      (["1", "j", "j", "l"], "28,192.34"),
      (["1", "j", "j", "l", "h"], "converted on weekly"), (["1", "j", "j", "j"], "3 unverified"),
      (["1", "j", "j", "j", "j"], "28,192.34"), (["1", "l", "l", "l", "l", "l"], "1,776"), (["2"], "1,776"),
      (["2", "j"], "+95"), (["2", "b"], "weekly"), (["3", "h"], "Active paid  "), (["3", "k"], "ARR"),
      (["0", "k"], "undated"), (["9", "k"], "Refund rate"),
    ] as [([String], String)])
  func moves(_ keys: [String], _ line: String) {
    var bench = Bench.opened()
    for key in keys { bench.press(key) }
    #expect(bench.selectedLine?.contains(line) == true, "\(bench.selectedLine ?? "nothing")")
    let selected = bench.canvas.styleText().dropFirst(3).filter { $0.contains("ssss") }
    #expect(selected.count == 1)
  }

  @Test(
    "leads to the panel beside after the last block on that side",
    arguments: [
      (["E", "l"], Tab.reconcile), (["E", "h"], .panel(.upgrades)), (["6", "l"], .panel(.cohorts)),
      (["6", "h", "h", "h"], .panel(.churn)), (["6", "h", "h", "h", "h"], .panel(.recovery)),
      (["6", "g", "left"], .panel(.recovery)), (["6", "g", "right", "right", "right"], .panel(.churn)),
      (["6", "g", "right", "right", "right", "right"], .panel(.cohorts)), (["1", "left"], .sweep),
      (["2", "left"], .panel(.overview)),
    ])
  func aside(_ keys: [String], _ tab: Tab) {
    var bench = Bench.opened()
    for key in keys { bench.press(key) }
    #expect(bench.state.tab == tab)
  }

  @Test("stays on its figure when the figures are read anew, and when one goes away and comes back")
  func identity() {
    var bench = Bench.opened()
    bench.press("6", "g", "j", "j", "R")
    #expect(bench.selectedLine?.contains("price increase") == true)
    bench.press("tab", "s-tab")
    #expect(bench.selectedLine?.contains("price increase") == true)
    bench.press("enter", "esc")
    #expect(bench.selectedLine?.contains("price increase") == true)
  }

  @Test("is in view at any size", arguments: [Size.usual, .small])
  func inView(_ size: Size) {
    for panel in ["1", "2", "3", "4", "6", "9", "0"] {
      var bench = Bench.opened(size.columns, size.rows)
      bench.press(panel, "g", "g")
      for _ in 0..<15 {
        #expect(bench.selectedLine != nil, "\(bench.screen)\(bench.canvas.styleText())")
        bench.press("j")
      }
      bench.send(.input(.resize(Size(columns: 40, rows: 10))))
      #expect(bench.selectedLine != nil)
    }
  }

  @Test("works by the mouse: a click chooses, another opens")
  func mouse() {
    var bench = Bench.opened()
    let click = Event.input(.mouse(Mouse(.left, at: Point(column: 5, row: 8))))
    bench.send(click)
    #expect(bench.selectedLine?.contains("28,192") == true)
    #expect(bench.state.context == .panel)
    bench.send(click)
    #expect(bench.state.context == .rows)
    #expect(bench.lastRows?.figure == "mrr")
  }

  // MARK: Opening figures

  /// Breadth-first search by arrow keys, opening every selectable figure.
  @Test("reaches every figure of the panel, each by its own path", arguments: Tab.panels)
  func everyFigure(_ panel: Panel) {
    var missing = panel.figureNames.filter { pattern in
      // Flows of 0 have no bar.
      !(Self.onlyByName + Self.ofLongWindows).contains(where: pattern.hasPrefix)
        && !(panel == .movement && Sample.value(ofMovement: pattern) == 0)
    }
    var first = Bench.opened()
    first.press(String(Tab.panel(panel).key))
    var queue = [first]
    var seen: Set<[Cell]> = []
    var leads: Set<String> = []
    while !missing.isEmpty, !queue.isEmpty {
      let bench = queue.removeFirst()
      let canvas = bench.canvas
      guard bench.state.panel == panel, seen.insert((0..<24).flatMap(canvas.cells)).inserted else { continue }
      for key in ["j", "k", "h", "l"] {
        var next = bench
        next.press(key)
        queue.append(next)
      }
      var inside = bench
      inside.press("enter")
      // Tab cycles through the same figures, so each list is checked once.
      guard inside.state.context == .rows, leads.insert(inside.lastRows?.figure ?? "").inserted else {
        continue
      }
      var figures: Set<String> = []
      while let asked = inside.lastRows, figures.insert(asked.figure).inserted {
        let path = FigurePath(asked.figure, of: asked.question.panel)
        #expect(path != nil, "\(asked.question.panel) has no figure \(asked.figure)")
        if let path, asked.question.panel == panel { missing.removeAll { Self.matches(path.name, $0) } }
        inside.press("tab")
      }
    }
    #expect(missing.isEmpty, "\(missing) cannot be opened")
  }

  /// Figure without a place on the screen, which shows only its reasons.
  private static let onlyByName = ["subscribers.lost"]
  /// Figures that only windows longer than the sample's have, which is divided by week.
  private static let ofLongWindows = ["by_month."]

  private static func matches(_ name: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1, let first = parts.first, let last = parts.last else { return name == pattern }
    guard name.hasPrefix(first), name.hasSuffix(last), name.utf8.count > first.utf8.count + last.utf8.count
    else { return false }
    let wanted = pattern.split(separator: ".").count
    return first == "rows." ? name.split(separator: ".").count == wanted : true
  }
}
