import Dashboard
import Screen
import Subscriptions
import Testing

/// A list of a panel, and the columns that say what each of its rows is about, with the figure that it is there for.
struct NarrowList: CustomTestStringConvertible, Sendable {
  let tab: Tab
  /// What its title begins with, and, where a chart's begins so as well, with what it goes on.
  let titles: [String]
  let columns: [String]
  var testDescription: String { "\(tab.title): \(titles[0])" }

  init(_ tab: Tab, _ titles: String..., columns: String...) {
    (self.tab, self.titles, self.columns) = (tab, titles, columns)
  }

  static let all = [
    NarrowList(.panel(.overview), "By product", columns: "Product", "Paid"),
    NarrowList(.panel(.active), "By product", columns: "Product", "Paid"),
    NarrowList(
      .panel(.billingRetry), "In billing retry, the newest", "In billing retry; ", columns: "Subscription",
      "Since expiry"),
    NarrowList(.panel(.recovery), "Entered by product", columns: "Product", "Entered"),
    NarrowList(.panel(.recovery), "In billing retry now", columns: "Since entry", "Now"),
    NarrowList(.panel(.recovery), "Entered with grace", columns: "Grace", "Entered"),
    NarrowList(.panel(.churn), "Renewals due", columns: "Period", "Due", "Rate"),
    NarrowList(.panel(.offers), "Trials and offers", columns: "Kind", "Offer", "Product", "Started"),
    NarrowList(.panel(.refunds), "Refunds by product", columns: "Product", "Refunds"),
    NarrowList(.panel(.upgrades), "Replaced periods", columns: "When", "From"),
    NarrowList(.panel(.events), "events in 28 d", columns: "When"),
    NarrowList(.sweep, "Apple's answers", columns: "Status", "Meaning", "Count"),
    NarrowList(.sweep, "Delay until noticed", columns: "Event", "Median"),
  ]
}

@Suite("A list on any screen from 40 columns on") struct NarrowTests {
  static let widths = Array(40...100) + stride(from: 104, through: 200, by: 4)

  /// What stands in a row before a gap between columns.
  private func firstCell(of row: String) -> String {
    let text = row.dropFirst().dropLast().drop { $0 == " " }
    return String(text.firstRange(of: "  ").map { text[..<$0.lowerBound] } ?? text)
  }

  /// Blocks that come to stand beside each other leave a list less room than a narrower screen does: so it is held by the room it has.
  @Test("says what each row is about, and no less of it in a wider room", arguments: NarrowList.all)
  func names(_ list: NarrowList) {
    var bench = Bench.opened(80, 200)
    bench.press(String(list.tab.key))
    var known: [(room: Int, cells: [String])] = []
    for width in Self.widths {
      bench.send(.input(.resize(Size(columns: width, rows: 200))))
      guard let rows = bench.found({ list.titles.lazy.compactMap($0.rows).first }), let titles = rows.first
      else {
        Issue.record("It is nowhere at \(width).")
        continue
      }
      let hidden = list.columns.filter { !titles.contains($0) }
      #expect(hidden.isEmpty, "\(hidden) at \(width): \(rows.joined(separator: "\n"))")
      known.append((titles.count, rows.dropFirst().map(firstCell)))
    }
    known.sort { $0.room < $1.room }
    for (narrow, wide) in zip(known, known.dropFirst()) {
      for (less, more) in zip(narrow.cells, wide.cells) where !less.isEmpty {
        func shown(_ cell: String) -> Int { cell.filter { $0 != "\u{2026}" }.count }
        // More of a name than most have goes to the columns that come next.
        #expect(shown(more) >= min(shown(less), 24), "\(less) in \(narrow.room), \(more) in \(wide.room)")
      }
    }
  }

  @Test("never cuts an offer's name or its product that a narrower one shows whole")
  func offers() {
    let names = ["half_price", "basic.week"]
    var bench = Bench(40, 200)
    bench.report = { question in
      var report = Sample.report(question)
      guard case .offers(var figures) = report.data else { return report }
      for place in figures.offers.indices {
        figures.offers[place].offer = names[0]
        figures.offers[place].productId = ProductID(names[1])
      }
      report.data = .offers(figures)
      return report
    }
    bench.send(.opened)
    bench.show(.offers)
    var known: Set<String> = []
    for width in Self.widths {
      bench.send(.input(.resize(Size(columns: width, rows: 200))))
      let text = bench.found { $0.rows(of: "Trials and offers") }?.joined() ?? ""
      let whole = Set(names.filter(text.contains))
      #expect(whole.isSuperset(of: known), "\(known.subtracting(whole)) at \(width): \(text)")
      known = whole
    }
    #expect(known == Set(names))
  }

  struct Pair: CustomTestStringConvertible, Sendable {
    let keys: [String]
    let title: String
    /// The column that the list is there for, and a row of it with what stands in it.
    let column: String
    let row: String
    let cell: String
    var testDescription: String { title }

    static let all = [
      Pair(keys: ["?"], title: "Keys", column: "What it does", row: " 2 ", cell: "Movement"),
      Pair(
        keys: ["f", "310000831360853", "enter", "J"], title: "What is known", column: "Value",
        row: " environment ", cell: "Production"),
    ]
  }

  @Test("cuts what a list is there for and does not hide it", arguments: Pair.all, widths)
  func pairs(_ pair: Pair, _ width: Int) {
    var bench = Bench.opened(width, 12)
    for key in pair.keys { bench.press(key) }
    let rows = bench.canvas.rows(of: pair.title) ?? []
    #expect(rows.first?.contains(pair.column) == true, "\(bench.screen)")
    #expect(rows.first { $0.contains(pair.row) }?.contains(pair.cell) == true, "\(bench.screen)")
  }

  @Test("leaves blanks about its title, of which it says less instead", arguments: widths)
  func titles(_ width: Int) {
    var bench = Bench.opened(width, 24)
    bench.press("9", "g", "j", "enter")
    let title = bench.canvas.text().first { $0.hasPrefix("\u{250C}") } ?? ""
    // Nothing is left to say less of.
    let isShortest = title.contains("; 3 hidden\u{2500}") || title.contains("\u{2026}")
    #expect(title.hasPrefix("\u{250C}\u{2500} ") || isShortest, "\(bench.screen)")
  }

  @Test("tells all of the sums of a figure or none", arguments: widths)
  func sums(_ width: Int) {
    var bench = Bench.opened(width, 40)
    bench.rows = { question, figure in
      var rows = Sample.rows(question, figure)
      rows.amounts = Amounts(
        ["EUR", "GBP", "USD"].map { Money(micros: 1_234_560_000, currency: CurrencyCode($0)) })
      return rows
    }
    bench.press("9", "g", "j", "enter")
    let title = bench.canvas.text().first { $0.hasPrefix("\u{250C}") } ?? ""
    let told = ["EUR 1,2", "GBP 1,2", "USD 1,2"].filter(title.contains)
    #expect([0, 3].contains(told.count), "\(title)")
  }

  @Test("shows ids whole beside what dates mean", arguments: [80, 100, 120])
  func values(_ width: Int) {
    var bench = Bench.opened(width, 24)
    bench.press("f", "310000831360853", "enter", "J")
    let rows = bench.canvas.rows(of: "What is known") ?? []
    #expect(rows.dropFirst().first?.contains(" 310000831360853 ") == true, "\(bench.screen)")
    let dated = rows.first { $0.contains("validated_at_ms") }
    #expect(dated?.contains(" 1795241100000 ") == true && dated?.contains("2026-11-21 06:05") == true)
  }

  @Test("hides no column for amounts in several currencies beside room for it")
  func currencies() {
    var bench = Bench(40, 200)
    bench.report = { question in
      var report = Sample.report(question)
      guard case .active(var figures) = report.data else { return report }
      figures.byProduct[0].mrr = Amounts(
        ["EUR", "GBP", "USD"].map { Money(micros: 1_234_560_000, currency: CurrencyCode($0)) })
      report.data = .active(figures)
      return report
    }
    bench.send(.opened)
    bench.show(.active)
    for width in Self.widths {
      bench.send(.input(.resize(Size(columns: width, rows: 200))))
      let rows = bench.found { $0.rows(of: "By product") } ?? []
      let titles = rows.first ?? ""
      let free = titles.dropLast().reversed().prefix { $0 == " " }.count - 1
      let isWhole = ["MRR", "Trial", "Grace"].allSatisfy(titles.contains)
      // As much as the widest of them takes: USD 14,425.50 and a gap.
      #expect(isWhole || free < 15, "\(width): \(rows.joined(separator: "\n"))")
      let told = ["3 currencies", "EUR 1,234.56, GBP 1,234.56, USD 1,234.56"].filter(rows.joined().contains)
      #expect(told.count == (titles.contains("MRR") ? 1 : 0), "\(width): \(rows.joined(separator: "\n"))")
      #expect(width < 200 || told.first?.hasPrefix("EUR") == true)
    }
  }

  @Test("gives amounts that are counted at every width no more room than that takes")
  func manyCurrencies() throws {
    let codes = ["AED", "AUD", "BRL", "CAD", "CHF", "EUR", "GBP", "INR", "JPY", "MXN", "SEK", "USD"]
    let amounts = Amounts(codes.map { Money(micros: 1_234_560_000, currency: CurrencyCode($0)) })
    var bench = Bench(200, 60)
    bench.report = { question in
      var report = Sample.report(question)
      guard case .active(var figures) = report.data else { return report }
      for place in figures.byProduct.indices { figures.byProduct[place].mrr = amounts }
      report.data = .active(figures)
      return report
    }
    bench.send(.opened)
    bench.show(.active)
    let titles = bench.found { $0.rows(of: "By product") }?.first ?? ""
    let before = try #require(titles.firstRange(of: "MRR")).lowerBound
    let room = titles[..<before].reversed().prefix { $0 == " " }.count
    #expect(room <= "12 currencies".count, "\(titles)")
  }
}
