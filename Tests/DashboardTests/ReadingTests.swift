import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("How much of a list is read") struct ReadingTests {
  static func rows(_ count: Int) -> (Question, String) -> FigureRows {
    { question, figure in
      let all = (0..<min(count, 5000)).map { index in
        Sample.row(
          index, product: [Sample.weekly, Sample.monthly][index % 2], isLine: false, figure)
      }
      var rows = FigureRows(count: count, rows: Array(all.prefix(question.limit)))
      rows.amounts = Amounts([Money(micros: 10_360_000_000, currency: CurrencyCode("USD"))])
      return rows
    }
  }

  private static func bench(_ count: Int, columns: Int = 120) -> Bench {
    var bench = Bench.opened(columns, 40)
    bench.rows = rows(count)
    bench.press("9", "g", "j", "enter")
    return bench
  }

  private func title(_ bench: Bench) -> String {
    bench.screen.split(separator: "\n").first { $0.contains("┌") && $0.contains(":") }.map(String.init) ?? ""
  }

  @Test("stands at the figure with what all rows add up to, however many are listed")
  func whole() {
    var bench = Self.bench(1654)
    #expect(title(bench).contains("1,654 transactions, USD 10,360.00"))
    bench.press("end", "end")
    #expect(title(bench).contains("1,654 transactions, USD 10,360.00"))
    #expect(!bench.screen.contains("listed"))
  }

  @Test(
    "is read completely once a filter begins, shows its progress, and answers keys")
  func filter() {
    var bench = Self.bench(1654)
    #expect(bench.lastRows?.question.limit == Question.screenLimit)
    bench.answers = false
    bench.press("/")
    #expect(bench.lastRows?.question.limit == State.manyRows)
    let serial = bench.lastRows?.serial ?? 0
    bench.press("monthly")
    #expect(title(bench).contains("60 match, ") && title(bench).contains("reading 120 of 1,654"))
    bench.send(.reading(800, serial: serial))
    #expect(title(bench).contains("reading 800 of 1,654"))
    bench.press("^U", "nosuch")
    #expect(bench.screen.contains("None of the 120 rows read so far matches nosuch."))
    let question = Question(panel: .refunds, at: Sample.now, limit: State.manyRows)
    bench.send(.rowsLoaded(Self.rows(1654)(question, "amount"), serial: serial))
    #expect(bench.screen.contains("No row matches nosuch.") && !bench.screen.contains("reading"))
    bench.press("^U", "monthly", "enter")
    #expect(title(bench).contains("827 match, USD "))
    #expect(bench.lastRows?.serial == serial, "it is asked for once")
  }

  @Test("is given up by Esc, and the list is as it comes again")
  func stopped() {
    var bench = Self.bench(1654)
    bench.answers = false
    bench.press("/", "esc")
    #expect(bench.effects.contains(.stopRows) && bench.state.prompt == nil)
    bench.press("/", "monthly", "enter")
    #expect(title(bench).contains("reading"))
    let before = bench.effects.count
    bench.press("esc")
    #expect(bench.effects.dropFirst(before).contains(.stopRows))
    #expect(bench.state.context == .rows && bench.state.arrangement.isEmpty)
    #expect(!title(bench).contains("reading") && !title(bench).contains("match"))
    bench.press("esc")
    #expect(bench.state.context == .panel)
  }

  @Test("stays all of it once it was read, where it is short", arguments: [1654, 4000])
  func kept(_ count: Int) {
    var bench = Self.bench(count)
    bench.press("/", "monthly", "enter", "esc", "R")
    #expect((bench.lastRows?.question.limit == State.manyRows) == (count <= 2000))
  }

  @Test("is everything before a file is written")
  func written() {
    var bench = Self.bench(1654)
    bench.answers = false
    bench.press("^s", "^U", "/tmp/rows.csv", "enter")
    #expect(bench.lastExport == nil && title(bench).contains("reading 120 of 1,654"))
    let question = Question(panel: .refunds, at: Sample.now, limit: State.manyRows)
    bench.send(.rowsLoaded(Self.rows(1654)(question, "amount"), serial: bench.lastRows?.serial ?? 0))
    #expect(bench.lastExport?.rows.count == 1654)
  }

  @Test("is said where the store could not give all of it, and it is not asked again and again")
  func failed() {
    var bench = Self.bench(1654)
    bench.answers = false
    bench.press(">")
    let asked = bench.lastRows?.serial ?? 0
    bench.send(.failed("The disk is gone.", serial: asked))
    bench.press("j", "j")
    #expect(bench.lastRows?.serial == asked)
    #expect(title(bench).contains("only 120 could be read"))
    bench.press(":", "export /tmp/rows.csv", "enter")
    #expect(bench.screen.contains("the list could not be read completely"))
    bench.answers = true
    bench.press("R")
    #expect(bench.lastRows?.serial != asked && !title(bench).contains("could be read"))
  }

  @Test("has an end, which is said at the figure")
  func limited() {
    var bench = Self.bench(300_000)
    bench.press(">")
    #expect(title(bench).contains("300,000 transactions, USD 10,360.00"))
    #expect(title(bench).contains("of the newest 5,000"), "as many as the sample gives")
  }

  @Test("does not keep keys waiting where it is long: it is arranged away from them, the newest wish alone")
  func long() {
    var bench = Self.bench(4000)
    bench.press("/", "monthly", "enter")
    #expect(title(bench).contains("2,000 match"))
    bench.answers = false
    bench.press("r")
    guard case .arrange(let first, let serial)? = bench.effects.last else {
      Issue.record("It was not arranged elsewhere.")
      return
    }
    #expect(title(bench).contains("2,000 match") && !bench.screen.contains("by chain"))
    bench.press("r")
    bench.send(.arranged(first.done(), serial: serial))
    #expect(!title(bench).contains("by chain"), "the order was changed in the meantime")
    guard case .arrange(let second, let newest)? = bench.effects.last else { return }
    bench.send(.arranged(second.done(), serial: newest))
    #expect(title(bench).contains("by chain"))
  }

  @Test("leaves out what every row has alike, which the title says, and keeps it for filters")
  func alike() {
    var bench = Self.bench(4)
    #expect(title(bench).contains("; all: kind standard"))
    #expect(!bench.screen.contains("Kind"))
    bench.press("/", "kind:trial", "enter")
    #expect(bench.screen.contains("No row matches kind:trial."))
  }
}
