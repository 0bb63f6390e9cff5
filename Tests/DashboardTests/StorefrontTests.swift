import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("By storefront") struct StorefrontTests {
  private static func amounts(_ currency: String, _ units: Int64) -> Amounts {
    Amounts([Money(micros: units * 1_000_000, currency: CurrencyCode(currency))])
  }

  private static func active(_ parts: [(String?, Int, Amounts)]) -> String {
    var figures = FigureValues()
    figures[parts: "by_storefront"] = parts.map { storefront, paid, mrr in
      var part = FigureValues()
      (part[text: "storefront"], part["paid"], part[amounts: "mrr"]) = (storefront, paid, mrr)
      return part
    }
    var trust = Trust()
    (trust.receipts, trust.lines) = (1, 1)
    let question = Question(panel: .active, at: Instant(milliseconds: 1_767_225_600_000))
    return text(
      of: Report(answering: question, trust: trust, data: figures), width: 100, glyphs: .unicode)
  }

  private static func line(_ text: String, beginning word: String) -> String? {
    text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
      .first { $0.hasPrefix(word) }
  }

  @Test func areShownWithTheirRevenue() throws {
    let shown = Self.active([
      ("USA", 7, Self.amounts("USD", 70)), ("DEU", 2, Self.amounts("EUR", 18)), (nil, 1, Amounts()),
    ])
    #expect(shown.contains("By storefront"))
    for (word, amount) in [("USA 7", "USD 70.00"), ("DEU 2", "EUR 18.00"), ("unknown 1", "unknown")] {
      let line = try #require(Self.line(shown, beginning: word))
      #expect(line.hasSuffix(amount), "\(line)")
    }
  }

  @Test func areVisibleIfThereIsRoom() {
    var bench = Bench(120, 60)
    bench.change(.active) { figures in
      figures[parts: "by_storefront"] = ["USA", "DEU"].map {
        var part = FigureValues()
        part[text: "storefront"] = $0
        return part
      }
    }
    bench.send(.opened)
    bench.show(.active)
    let screen = bench.screen
    #expect(screen.contains("By product") && screen.contains("By storefront"), "\(screen)")
    #expect(screen.contains("DEU"), "\(screen)")
  }

  @Test(
    arguments: Tab.panels,
    [
      (Size.small, "no storefronts"), (Size.usual, "no storefronts on"),
      (Size.large, "Cohorts, Offers"),
    ])
  func areOfferedOrExplained(_ panel: Panel, _ why: (size: Size, words: String)) {
    var bench = Bench.opened(why.size.columns, why.size.rows)
    bench.show(panel)
    bench.press("P")
    #expect(bench.state.context == .products)
    #expect(bench.screen.contains(why.words) == !panel.hasStorefronts, "\(bench.screen)")
  }

  @Test(arguments: [Panel.overview, .churn, .refunds]) func typingOneExplainsWhyThereAreNone(_ panel: Panel) {
    var bench = Bench.opened(80, 24)
    bench.show(panel)
    bench.press(":", "storefront DEU", "enter")
    #expect(bench.screen.contains("no storefronts on \(panel.title)"), "\(bench.screen)")
  }

  @Test func areOmittedIfUnknown() {
    #expect(!Self.active([]).contains("By storefront"))
  }
}

@Suite("One product alone") struct ProductAloneTests {
  @Test("is said on a low screen before any alert")
  func low() throws {
    var bench = Bench(80, 16, alerts: try Sample.alerts)
    bench.send(.opened)
    #expect(bench.canvas.text()[0].contains(" A"), "\(bench.screen)")
    bench.press(":", "product com.example.pro.weekly", "enter")
    #expect(bench.canvas.text()[0].contains("only weekly"), "\(bench.screen)")
  }
}
