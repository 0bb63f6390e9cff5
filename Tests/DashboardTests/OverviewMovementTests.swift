import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("The overview's boxes") struct OverviewBoxTests {
  private func titles(_ bench: Bench) -> [String] {
    bench.canvas.text().filter { $0.contains("┌") }.flatMap { $0.split(separator: "┌") }.map {
      String($0.filter { !"─┐".contains($0) }).words
    }
  }

  @Test("shows the newest events and the renewals without scrolling at 120x40")
  func firstScreen() {
    let bench = Bench.opened(120, 40)
    #expect(Set(["Newest events", "Renewals"]).isSubset(of: titles(bench)), "\(bench.screen)")
  }

  @Test("move and hide boxes, and the selection stays on them")
  func arranges() {
    var bench = Bench.opened(120, 60)
    for _ in 0..<6 { bench.press("l") }
    #expect(bench.selectedLine?.contains("weekly") == true, "\(bench.screen)")
    bench.press("{")
    let moved = titles(bench)
    #expect(
      moved.firstIndex { $0.hasPrefix("By product") } ?? 99 < moved.firstIndex {
        $0.hasPrefix("Subscribers in")
      } ?? 0)
    #expect(bench.selectedLine?.contains("weekly") == true)
    bench.press("-")
    #expect(
      !titles(bench).contains { $0.hasPrefix("By product") } && bench.screen.contains("By product: hidden"))
    bench.press("B")
    #expect(bench.screen.words.contains("By product hidden"))
    bench.press("/", "by product", "enter", "enter", "esc", "esc")
    #expect(titles(bench).contains { $0.hasPrefix("By product") })
    bench.press("B", "G", "enter", "esc")
    #expect(bench.screen == Bench.opened(120, 60).screen)
    bench.press("g", "-")
    #expect(bench.screen.contains("Select a box of the overview (1) first."))
  }

  @Test("show the range of the selected figure's sparkline")
  func ranges() {
    var bench = Bench.opened(120, 60)
    bench.press("l")
    #expect(
      bench.canvas.text().contains { $0.hasPrefix("└") && $0.contains(" 24,987–28,192 ") }, "\(bench.screen)")
  }
}

@Suite("The overview's movement") struct OverviewMovementTests {
  private static let labels: Set<String> = [
    "Recovered", "Returned", "Recovered, returned", "Unverified", "Lapsed (cause unknown)",
    "Unverified, lapsed",
  ]

  @Test(
    "does not count returns with unknown cause as recovered",
    arguments: [
      ([], ["Recovered, returned", "Unverified, lapsed"]),
      ([.returned, .toUnattributed], ["Recovered", "Unverified"]),
      ([.recovered, .toOverdue], ["Returned", "Lapsed (cause unknown)"]),
      ([.recovered, .returned, .toOverdue, .toUnattributed], []),
    ] as [(Set<Flow>, Set<String>)])
  func words(_ without: Set<Flow>, _ labels: Set<String>) {
    let question = Question(panel: .overview, at: Sample.now)
    var report = Sample.report(question)
    report.data.addMovement(of: Sample.movementSums(without: without), question)
    // Balances of the same names have no sign.
    let lines = text(of: report, width: 80).split(separator: "\n").map { $0.drop { $0 == " " } }
      .filter { $0.contains(" +") || $0.contains(" -") }
    let shown = Self.labels.filter { label in lines.contains { $0.hasPrefix("\(label)  ") } }
    #expect(shown == labels, "\(lines.joined(separator: "\n"))")
  }
}
