import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("Choosing figures") struct SelectionTests {
  struct Script: CustomTestStringConvertible, Sendable {
    let keys: [String]
    /// What stands on the line that stands out afterwards.
    let line: String
    var testDescription: String { keys.joined(separator: " ") }

    init(_ keys: String..., line: String) {
      self.keys = keys
      self.line = line
    }
  }

  @Test(
    "goes by the arrows through figures, bars and the list, where they stand",
    arguments: [
      Script("4", line: "1 week"), Script("4", "k", line: "refunded           █"),
      Script("4", "k", "j", line: "1 week"), Script("4", "k", "l", "j", "h", line: "converted"),
      Script("4", "h", line: "converted"), Script("4", "h", "l", line: "1 week"),
      Script("4", "h", "k", "k", line: "refunded           █"), Script("4", "k", "l", line: "Churn rate"),
      Script("4", "k", "l", "j", line: "1 week"), Script("4", "g", line: "1 cancelled"),
      Script("4", "j", "g", "g", "G", line: "unlisted"), Script("4", "g", "j", "j", "l", line: "involuntary"),
      Script("4", "g", "pgdn", line: "unlisted"), Script("1", line: "Active paid"),
      Script("1", "l", "h", line: "Active paid"), Script("1", "G", "k", line: "yearly"),
      Script("1", "G", "g", "g", line: "Active paid"),
      Script("1", "g", "l", line: "MRR"), Script("2", "h", line: "Trials"),
      Script("2", "k", line: "in grace"), Script("6", "k", line: "pending now"),
      Script("5", "k", line: "unknown"),
    ])
  func moves(_ script: Script) {
    var bench = Bench.opened()
    for key in script.keys { bench.press(key) }
    #expect(bench.selectedLine?.contains(script.line) == true, "\(bench.selectedLine ?? "nothing")")
    let selected = bench.canvas.styleText().dropFirst(3).filter { $0.contains("ssss") }
    #expect(selected.count == 1)
  }

  @Test(
    "leads to the panel beside where nothing stands on that side",
    arguments: [
      (["7", "l"], Tab.sweep), (["7", "h"], .panel(.upgrades)), (["4", "l"], .panel(.refunds)),
      (["4", "h", "h"], .panel(.billingRetry)),
      (["4", "g", "left"], .panel(.billingRetry)), (["4", "g", "right", "right"], .panel(.refunds)),
      (["1", "left"], .sweep), (["1", "right"], .panel(.overview)),
      (["1", "right", "right"], .panel(.active)),
    ])
  func aside(_ keys: [String], _ tab: Tab) {
    var bench = Bench.opened()
    for key in keys { bench.press(key) }
    #expect(bench.state.tab == tab)
  }

  @Test("stays on its figure when the figures are read anew, and when one goes away and comes back")
  func identity() {
    var bench = Bench.opened()
    bench.press("4", "g", "j", "j", "R")
    #expect(bench.selectedLine?.contains("3 price not agreed") == true)
    bench.press("tab", "s-tab")
    #expect(bench.selectedLine?.contains("3 price not agreed") == true)
    bench.press("enter", "esc")
    #expect(bench.selectedLine?.contains("3 price not agreed") == true)
  }

  @Test("is in view whatever the size", arguments: ScreenTests.sizes)
  func inView(_ size: Size) {
    for panel in 1...6 {
      var bench = Bench.opened(size.columns, size.rows)
      bench.press("\(panel)", "g", "g")
      for _ in 0..<40 {
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
    let click = Event.input(.mouse(Mouse(.left, at: Point(column: 60, row: 4))))
    bench.send(click)
    #expect(bench.selectedLine?.contains("MRR") == true)
    #expect(bench.state.context == .panel)
    bench.send(click)
    #expect(bench.state.context == .rows)
    #expect(bench.lastRows?.figure == "mrr")
  }

  // MARK: What opens

  /// Everything that can be reached by the arrows, and what Enter there asks for.
  private func reached(_ panel: Panel, _ size: Size) -> [(panel: Panel, figure: String)] {
    var first = Bench.opened(size.columns, size.rows)
    first.press("\((Tab.panels.firstIndex(of: panel) ?? 0) + 1)")
    var queue = [first]
    var seen: Set<[String]> = []
    var opened: [(panel: Panel, figure: String)] = []
    while let bench = queue.popLast() {
      guard bench.state.panel == panel, seen.insert(bench.canvas.text() + bench.canvas.styleText()).inserted
      else {
        continue
      }
      for key in ["j", "k", "h", "l"] {
        var next = bench
        next.press(key)
        queue.append(next)
      }
      var inside = bench
      inside.press("enter")
      guard inside.state.context == .rows else { continue }
      for _ in 0..<8 {
        if let asked = inside.lastRows { opened.append((asked.question.panel, asked.figure)) }
        inside.press("tab")
      }
    }
    return opened
  }

  @Test("reaches every figure of the panel, each by its own path", arguments: Tab.panels, [80, 40])
  func everyFigure(_ panel: Panel, _ columns: Int) {
    let opened = reached(panel, Size(columns: columns, rows: columns == 80 ? 24 : 10))
    for (panel, figure) in opened {
      #expect(panel.figure(figure) != nil, "\(panel) has no figure \(figure)")
    }
    let own = Set(opened.filter { $0.panel == panel }.map(\.figure))
    for pattern in panel.figureNames {
      let parts = pattern.split(separator: "*").map(String.init)
      let isReached = own.contains { figure in
        parts.count == 1 ? figure == pattern : figure.hasPrefix(parts[0]) && figure.hasSuffix(parts[1])
      }
      #expect(isReached, "\(pattern) cannot be opened")
    }
  }
}
