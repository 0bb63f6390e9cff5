import Dashboard
import FoundationEssentials
import Screen
import Subscriptions
import Testing

@Suite("Sorting and filtering") struct ArrangingTests {
  private func chains(_ bench: Bench) -> [String] {
    bench.state.tableExport?.rows.map { $0[0] } ?? []
  }

  @Test("filters while it is typed, and gives back what was before")
  func live() {
    var bench = Bench.opened(120, 40)
    bench.press("4")
    let all = chains(bench)
    bench.press("/", "days>")
    #expect(chains(bench) == all)
    bench.press("esc", "/", "da")
    #expect(chains(bench) == all, "the name of a column is being typed")
    bench.press("ys>")
    bench.press("10")
    let old = chains(bench)
    #expect(!old.isEmpty && old.count < all.count && all.filter(old.contains) == old)
    bench.press("esc")
    #expect(bench.state.prompt == nil && chains(bench) == all)
    bench.press("/", "days>10", "enter")
    #expect(chains(bench) == old)
    #expect(
      bench.screen.contains("/days>10")
        && bench.screen.contains("of \(old.count), \(all.count - old.count) hidden"))
    bench.press("/", "^U", "nosuch:")
    let names = "subscription, app_user, product, expired, since_expiry, left, mrr"
    #expect(
      bench.screen.lowercased().contains("no column nosuch; the columns are \(names)"), "\(bench.screen)")
    #expect(chains(bench).isEmpty, "nothing looks as if it matched")
    bench.press("enter")
    #expect(bench.screen.contains("no column nosuch"))
    #expect(bench.state.prompt != nil)
    bench.press("esc")
    #expect(chains(bench) == old)
    bench.press("esc")
    #expect(chains(bench) == all && bench.state.context == .panel)
  }

  @Test("leaves columns out and brings them back, from one visit to the next")
  func columns() {
    var bench = Bench.opened(120, 40)
    bench.press("4", ":", "hide app_user", "enter", ":", "hide product", "enter")
    #expect(!bench.screen.contains("App user") && !bench.screen.contains("user-4821"))
    #expect(bench.state.tableExport?.columns == ["chain", "expired", "days", "left", "mrr"])
    bench.press(":", "sort days desc", "enter", "/", "product:yearly", "enter")
    #expect(
      bench.screen.contains("▼Since expiry"), "and sorts and filters go by those that are left out as well")
    #expect(chains(bench).count == 5)
    var next = Bench(120, 40)
    next.remember(bench.state.remembered)
    next.send(.opened)
    #expect(next.screen == bench.screen)
    bench.press(":", "hide chain", "enter")
    #expect(bench.screen.contains("chain cannot be hidden: it identifies the rows"))
    bench.press("esc", ":", "unhide app_user", "enter")
    #expect(bench.screen.contains("App user") && !bench.screen.contains(" Product"))
    bench.press(":", "unhide all", "enter")
    #expect(bench.screen.contains(" Product"))
  }

  @Test("goes from match to match, filtered or not")
  func matches() {
    var bench = Bench.opened(120, 40)
    bench.press("4", "n")
    #expect(bench.screen.contains("No filter has been used here"))
    bench.press("/", "days>10", "enter")
    let old = chains(bench)
    bench.press("esc", "g")
    let all = chains(bench)
    var seen: [String] = []
    for _ in old {
      bench.press("n")
      if let chain = all.first(where: { bench.selectedLine?.contains($0) == true }) { seen.append(chain) }
    }
    #expect(seen.sorted() == old.sorted())
    bench.press("n")
    #expect(bench.selectedLine?.contains(seen[0]) == true)
    bench.press("N")
    #expect(bench.selectedLine?.contains(seen[seen.count - 1]) == true)
  }

  @Test("goes from match to match of a filter that a command set")
  func matchesOfACommand() {
    var bench = Bench.opened(120, 40)
    bench.press("4", ":", "filter days>10", "enter", "esc", "n")
    #expect(!bench.screen.contains("No filter has been used here"))
  }

  @Test("sorts by any column, round to the list's own order, the selection on its row")
  func sorting() {
    var bench = Bench.opened(120, 40)
    bench.press("4")
    let own = chains(bench)
    let fields = bench.state.tableExport?.columns ?? []
    #expect(fields == ["chain", "app_user", "product", "expired", "days", "left", "mrr"])
    for field in fields {
      bench.press("G")
      let last = chains(bench).last ?? ""
      bench.press(">")
      #expect(bench.state.arrangement.sort == ListOptions.Sort(field: field, isDescending: false))
      #expect(Set(chains(bench)) == Set(own) && bench.selectedLine?.contains(last) == true)
      let rising = chains(bench)
      bench.press("r")
      #expect(bench.screen.contains("by \(field)") && bench.screen.contains(", descending"))
      let column = fields.firstIndex(of: field) ?? 0
      let values = (bench.state.tableExport?.rows ?? []).map { CellValue($0[column]) }
      #expect(zip(values, values.dropFirst()).allSatisfy { !($0 < $1) || $1.isMissing })
      bench.press("r")
      #expect(chains(bench) == rising)
    }
    bench.press(">")
    #expect(bench.state.arrangement.isEmpty && chains(bench) == own)
    bench.press("<")
    #expect(bench.state.arrangement.sort?.field == "mrr")
  }

  /// Amounts with currency and converted value (`nil` without a rate), the list's title, and the order.
  @Test(
    "sorts amounts in several currencies by what they are worth, or says that it does not",
    arguments: [
      ([("EUR", 90, 100), ("JPY", 1500, 10), ("USD", 95, 95)], "by amount in USD, descending", [0, 2, 1]),
      (
        [("EUR", 90, 100), ("TWD", 1500, nil), ("USD", 95, 95)],
        "by amount within each currency, descending", [2, 1, 0]
      ),
      ([("EUR", 90, 100), ("EUR", 1500, 1600), ("EUR", 7, 8)], "by amount, descending", [1, 0, 2]),
    ] as [([(String, Int64, Int64?)], String, [Int])])
  func currencies(_ amounts: [(String, Int64, Int64?)], _ title: String, _ order: [Int]) {
    var bench = Bench.opened(200, 40)
    bench.rows = { _, figure in
      var sum = Amounts(in: CurrencyCode("USD"))
      let rows = amounts.enumerated().map { place, amount in
        var row = Sample.row(place, product: Sample.weekly, isLine: false, figure)
        let money = Money(micros: amount.1 * 1_000_000, currency: CurrencyCode(amount.0))
        let micros = amount.2.map { $0 * 1_000_000 }
        (row.amount, row.convertedMicros) = (money, micros)
        sum.add(money, micros.map { Converted(micros: Int128($0)) } ?? Converted(unconverted: 1))
        return row
      }
      var found = FigureRows(count: rows.count, rows: rows)
      found.amounts = sum
      return found
    }
    bench.press("9", "g", "j", "enter", ":", "sort amount desc", "enter")
    #expect(bench.screen.contains(title), "\(bench.screen)")
    let chains = amounts.indices.map {
      Sample.row($0, product: Sample.weekly, isLine: false, "").originalTransactionID.rawValue
    }
    let shown = bench.canvas.text().compactMap { line in chains.firstIndex(where: line.contains) }
    #expect(shown == order, "\(bench.screen)")
  }

  @Test("keeps its order and filter through refreshes and other panels, each panel its own")
  func kept() {
    var bench = Bench.opened(120, 40)
    bench.press("4", ">", "r", "/", "!monthly", "enter")
    let shown = chains(bench)
    bench.press("R", "3", "w", "4")
    #expect(chains(bench) == shown)
    bench.press("3")
    #expect(bench.state.arrangement.isEmpty)
  }

  @Test("asks for more rows where the store gave only some")
  func more() {
    var bench = Bench.opened(120, 40)
    bench.press("E")
    #expect(bench.state.tableExport?.notes.contains { $0.name == "rows_in_the_store" } == true)
    bench.press("r")
    #expect(bench.lastQuestion?.limit == State.manyRows)
  }

  @Test("sorts by a click on a title, the second time the other way round")
  func clicks() throws {
    var bench = Bench.opened(120, 40)
    bench.press("4")
    let lines = bench.canvas.text()
    let row = try #require(lines.firstIndex { $0.contains("App user") })
    let line = Array(lines[row])
    let column = try #require(line.indices.first { line[$0...].starts(with: "Since expiry") })
    let at = Point(column: column + 1, row: row)
    bench.send(.input(.mouse(Mouse(.left, at: at))))
    #expect(bench.state.arrangement.sort == ListOptions.Sort(field: "days", isDescending: false))
    bench.send(.input(.mouse(Mouse(.left, at: at))))
    #expect(bench.state.arrangement.sort == ListOptions.Sort(field: "days", isDescending: true))
  }
}
