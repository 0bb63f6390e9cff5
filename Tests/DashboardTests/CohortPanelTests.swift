import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("The panel of cohorts") struct CohortPanelTests {
  private static func bench(_ columns: Int = 80, _ rows: Int = 24) -> Bench {
    var bench = Bench.opened(columns, rows)
    bench.show(.cohorts)
    return bench
  }

  @Test(
    "opens the cell that is chosen",
    arguments: [
      ([], "rows.2024-10.0"), (["l", "right", "l"], "rows.2024-10.3"), (["l", "l", "h"], "rows.2024-10.1"),
      (["l", "l", "j", "j"], "rows.2024-12.2"), (["h", "h"], "rows.2024-10.0"),
      (Array(repeating: "l", count: 40), "rows.2024-10.25"),
      // The young cohort has no cell in this column, so its last one is selected. The column is remembered.
      (Array(repeating: "l", count: 9) + ["G", "k"], "rows.2026-10.1"),
      (Array(repeating: "l", count: 9) + ["G", "g"], "rows.2024-10.9"),
      (["b", "l", "j"], "rows.2024-11.1"),
    ] as [([String], String)])
  func opens(_ keys: [String], _ figure: String) {
    var bench = Self.bench()
    for key in keys { bench.press(key) }
    #expect(bench.state.tab == .panel(.cohorts), "arrows stay within the map")
    bench.press("enter")
    #expect(bench.lastRows?.figure == figure)
    bench.press("tab")
    #expect(bench.lastRows?.figure == "\(figure).lost")
    #expect(bench.screen.contains("not active"))
    bench.press("q")
    #expect(bench.state.context == .cohorts)
  }

  @Test("scrolls both ways, its headings stay")
  func scrolls() {
    var bench = Self.bench()
    bench.press("G", "g")
    for _ in 0..<25 { bench.press("l") }
    for _ in 0..<20 { bench.press("j") }
    let lines = bench.canvas.text()
    #expect(lines[4].contains("Month    Size ←"))
    #expect(lines.contains { $0.contains("2026-06") } && !lines.contains { $0.contains("2024-10 ") })
    #expect(lines.contains { $0.contains("│ average") } && lines.contains { $0.contains("│ cohorts") })
  }

  @Test("shows shares or numbers, of subscribers or of what they bring in each currency")
  func measures() {
    var bench = Self.bench(120, 40)
    #expect(bench.screen.contains("Subscribers retained after N months, %"))
    #expect(bench.screen.contains("2026-03   351  100   48"))
    bench.press("a")
    #expect(bench.screen.contains("Subscribers retained after N months;"))
    #expect(bench.screen.contains("2026-03   351  351  170") && bench.screen.contains("avg. %"))
    bench.press("b")
    #expect(bench.screen.contains("MRR in USD retained") && bench.screen.contains("2026-03    2,917  2,917"))
    bench.press("a", "b")
    #expect(bench.screen.contains("MRR in EUR retained after N months, %"))
    bench.press("b")
    #expect(bench.screen.contains("Subscribers retained after N months, %"))
    bench.press("a", "2")
    #expect(!bench.screen.contains("a numbers"), "the key is not shown elsewhere")
  }

  @Test("has the reporting currency before the others")
  func converted() {
    var figures = FigureValues()
    var mrr = Amounts(in: CurrencyCode("EUR"))
    mrr.add(Sample.usd(1000), Converted(micros: 9_000_000))
    var half = Amounts(in: CurrencyCode("EUR"))
    half.add(Sample.usd(600), Converted(micros: 4_500_000))
    let cells = [
      FigureValues(months: 0, lines: 2, of: 2, cohort: 2, mrr: mrr, mrrOf: mrr),
      FigureValues(months: 1, lines: 1, of: 2, cohort: 2, mrr: half, mrrOf: mrr),
    ]
    figures[parts: "rows"] = [
      FigureValues(month: CivilMonth(of: Sample.now), lines: 2, mrr: mrr, retained: cells)
    ]
    var bench = Bench.opened()
    bench.report = { Report(answering: $0, trust: Sample.trust, data: figures) }
    bench.show(.cohorts)
    bench.press("b")
    #expect(
      bench.screen.contains("MRR, ≈ EUR retained") && bench.screen.contains("2026-11        9 [100]  50"))
    bench.press("b", "l")
    #expect(bench.screen.contains("2026-11       10  100 [ 60]"))
    #expect(bench.screen.contains("USD 6.00 of USD 10.00 a month, 60.0 %"))
  }

  @Test("is clicked and filtered, and written with what is not full yet marked")
  func list() throws {
    var bench = Self.bench()
    let at = Point(column: 24, row: 7)
    bench.send(.input(.mouse(Mouse(.left, at: at))))
    #expect(bench.screen.contains("2024-12, 1 month later: 76 of 116 subscribers, 65.5 %"))
    bench.send(.input(.mouse(Mouse(.left, at: at))))
    #expect(bench.lastRows?.figure == "rows.2024-12.1")
    bench.press("q", "/", "month:2026 1>70", "enter")
    let export = try #require(bench.state.tableExport)
    #expect(export.columns.prefix(4) == ["month", "size", "0", "1"])
    #expect(
      export.rows.count == 9, "those of 2026 but for the campaign's and the newest: \(export.rows.map(\.[0]))"
    )
    #expect(export.rows.last?[3] == "77.5 % so far")
    bench.press("/", "^U", "nosuch", "enter")
    #expect(bench.screen.contains("No row matches nosuch."))
  }

  @Test("averages the full cells of a month, and rounds no part to nothing or to the whole")
  func numbers() {
    func cohort(_ age: Int, _ lines: Int, _ kept: [(Int, of: Int)]) -> FigureValues {
      FigureValues(
        month: CivilMonth(of: Sample.now).adding(months: -age), lines: lines,
        retained: kept.enumerated().map { months, cell in
          FigureValues(months: months, lines: cell.0, of: cell.of, cohort: lines)
        })
    }
    var figures = FigureValues()
    figures[parts: "rows"] = [
      cohort(2, 300, [(300, 300), (299, 300), (1, 250)]), cohort(1, 100, [(100, 100), (40, 60)]),
      cohort(0, 7, [(7, 7)]),
    ]
    let report = Report(
      answering: Question(panel: .cohorts, at: Sample.now), trust: Sample.trust, data: figures)
    // Wide enough that each row of the table is one line.
    let lines = text(of: report, width: 300, glyphs: .ascii).split(separator: "\n")
    for (head, cells) in [
      ("2026-09", "300 100 99 1>"), ("2026-10", "100 100 67>"), ("2026-11", "7 100"),
      ("average", "100 99"), ("cohorts", "3 1"),
    ] {
      let line = lines.first { $0.hasPrefix("  \(head) ") } ?? ""
      let shown = line.dropFirst(head.count + 2).split { !($0.isNumber || $0 == ">") }
      #expect(shown.joined(separator: " ") == cells, "\(line)")
    }
  }

  @Test("is empty if no line was ever paid")
  func empty() {
    var bench = Bench.opened()
    bench.report = { Report(answering: $0, trust: Sample.trust, data: FigureValues()) }
    bench.show(.cohorts)
    bench.press("l", "j", "enter", "a", "b")
    #expect(bench.screen.contains("No paid subscriptions yet."))
  }
}
