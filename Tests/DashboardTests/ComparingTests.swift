import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("Comparisons") struct ComparingTests {
  private static func asked(_ bench: Bench) -> (this: Question, that: Question)? {
    bench.newest { effect in
      if case .loadCompared(let question, let comparison, _) = effect {
        (comparison.this(question), comparison.that(question))
      } else {
        nil
      }
    }
  }

  @Test("set a window beside the one before, and end with Esc")
  func before() throws {
    var bench = Bench.opened(120, 40)
    bench.press("6", "=", "enter")
    let asked = try #require(Self.asked(bench))
    #expect(asked.this.panel == .churn && asked.this.at == Sample.now)
    #expect(asked.that.at == asked.this.window.from && asked.that.isLookingBack)
    #expect(bench.state.context == .compared)
    #expect(bench.screen.contains("this window and the previous one"))
    bench.press("w")
    #expect(Self.asked(bench)?.this.window.days == 90)
    bench.press("esc")
    #expect(bench.state.context == .panel && bench.state.panel == .churn)
  }

  @Test("open the rows of either side")
  func rows() throws {
    var bench = Bench.opened(120, 40)
    bench.press("6", "=", "enter", "enter")
    let first = try #require(bench.lastRows)
    #expect(first.question.at == Sample.now && bench.state.context == .rows)
    bench.press("tab")
    let second = try #require(bench.lastRows)
    #expect(second.figure == first.figure && second.question.at == first.question.window.from)
    bench.press("tab")
    #expect(bench.lastRows?.question.at == first.question.at)
    bench.press("esc")
    #expect(bench.state.context == .compared)
  }

  @Test("are of products and storefronts where there are several, and of the other environment")
  func choices() throws {
    var bench = Bench.opened(120, 40)
    bench.press("3", "=")
    for words in [
      "a year earlier", "every product and weekly", "this environment and sandbox", "monthly and yearly",
      "weekly and yearly",
    ] {
      #expect(bench.screen.contains(words), "\(words): \(bench.screen)")
    }
    bench.press("esc", ":", "product com.example.pro.monthly", "enter", "=")
    #expect(bench.screen.contains("monthly and weekly") && bench.screen.contains("monthly and yearly"))
    #expect(!bench.screen.contains("weekly and yearly"), "only with the one that is chosen")
    bench.press("esc", ":", "compare product:com.example.pro.monthly,com.example.pro.yearly", "enter")
    let asked = try #require(Self.asked(bench))
    #expect(asked.this.products == [Sample.monthly] && asked.that.products == [Sample.yearly])
    #expect(bench.screen.contains("monthly and yearly"))
    bench.press("esc", "E", "=")
    #expect(bench.state.context == .panel && bench.screen.contains("no figures to compare"))
  }

  @Test("of many products say how to type any two")
  func manyProducts() {
    let advice = "for two others, type :compare product:A,B on the panel"
    var bench = Bench.opened(80, 40)
    bench.press("3", "=")
    #expect(!bench.screen.contains(advice), "every two of a few are listed")
    bench.change(.active) { figures in
      guard var product = figures[parts: "by_product"].first else { return }
      for place in 1...8 {
        product[text: "product_id"] = "com.example.pro.plan\(place)"
        figures[parts: "by_product"].append(product)
      }
    }
    bench.press("esc", "R", "=")
    #expect(bench.screen.contains(advice) && !bench.screen.contains("plan7 and plan8"), "\(bench.screen)")
    bench.press("esc", ":", "product com.example.pro.plan8", "enter", "=")
    #expect(!bench.screen.contains(advice), "\(bench.screen)")
    #expect(bench.screen.contains("plan8 and plan7"), "\(bench.screen)")
  }

  @Test("of many storefronts say how to type any two")
  func manyStorefronts() {
    let advice = "for two others, type :compare storefront:A,B on the panel"
    var bench = Bench.opened(160, 60)
    bench.origins = ["USA", "DEU", "FRA", "GBR", "ITA", "JPN", "CAN", "ESP"].map { code in
      CohortOrigin(
        .production, product: Sample.monthly, storefront: StorefrontCode(code), kind: .standard, offer: nil)
    }
    bench.press("7", "=")
    #expect(bench.screen.contains(advice) && !bench.screen.contains("storefront:FRA,"), "\(bench.screen)")
    bench.press("esc", ":", "storefront FRA", "enter", "=")
    #expect(!bench.screen.contains(advice), "\(bench.screen)")
    #expect(bench.screen.contains("storefront:FRA,JPN"), "\(bench.screen)")
    bench.press("esc", "6", "=")
    #expect(bench.screen.contains("Churn: compare; \(advice)"), "\(bench.screen)")
    bench.press("esc", ":", "compare storefront:FRA,JPN", "enter")
    let asked = Self.asked(bench)
    #expect(asked?.this.storefronts == .only(StorefrontCode("FRA")))
    #expect(asked?.that.storefronts == .only(StorefrontCode("JPN")))
  }

  @Test(
    "offer only what the panel can compare",
    arguments: [
      ("1", ["storefront:", "the previous one"], ["offer:", "cohort:"]),
      ("6", ["storefront:", "the previous one"], ["offer:", "cohort:"]),
      ("7", ["storefront:", "offer:standard,", "cohort:20", "a year earlier"], ["this window"]),
      ("9", ["the previous one", "a year earlier"], ["storefront:", "offer:", "cohort:"]),
    ])
  func choicesOfPanels(_ key: String, _ offered: [String], _ others: [String]) {
    var bench = Bench.opened(160, 60)
    bench.origins = ["USA", "DEU"].flatMap { code in
      [PeriodKind.standard, .intro].map {
        CohortOrigin(
          .production, product: Sample.monthly, storefront: StorefrontCode(code), kind: $0, offer: nil)
      }
    }
    bench.press("3", key, "=")
    for text in offered { #expect(bench.screen.contains(text), "\(text): \(bench.screen)") }
    for text in others { #expect(!bench.screen.contains(text), "\(text): \(bench.screen)") }
  }

  @Test("say why a panel cannot be compared so, and show what it could before")
  func problems() {
    var bench = Bench.opened(120, 40)
    bench.press("7", ":", "compare before", "enter")
    #expect(bench.screen.contains("Cohorts have no window"))
    bench.press("9", ":", "compare storefront:DEU", "enter")
    #expect(bench.screen.contains("not split by storefront"))
    #expect(Self.asked(bench) == nil && bench.state.context == .panel)
  }

  @Test(
    "say which figures are not split by storefront", arguments: [("1", "refunds"), ("6", "renewals")])
  func leftOut(_ key: String, _ words: String) {
    var bench = Bench.opened(80, 24)
    bench.press(key, ":", "compare storefront:USA,DEU", "enter")
    #expect(bench.state.context == .compared)
    #expect(bench.screen.contains("Not split by storefront: \(words)"), "\(bench.screen)")
  }

  @Test("set each cohort beside the one a year earlier, and open either")
  func cohorts() throws {
    var bench = Bench.opened(80, 24)
    bench.press("7", ":", "compare year", "enter")
    #expect(bench.screen.contains("each cohort and the one a year earlier, to the same day"))
    #expect(bench.screen.contains("On average, after 1 month"))
    bench.press("/", "subscribers", "enter", "enter")
    let first = try #require(bench.lastRows)
    let cell = try #require(CohortCell(path: first.figure))
    bench.press("tab")
    let second = try #require(bench.lastRows.flatMap { CohortCell(path: $0.figure) })
    #expect(second.month == cell.month.adding(months: -12) && second.months == cell.months)
  }

  @Test("say that nothing is known, where nothing was")
  func unknown() {
    var bench = Bench(120, 40)
    bench.status.firstPurchaseMs = Sample.now - 40 * Milliseconds.day
    bench.send(.opened)
    bench.press("6", "=", "enter")
    #expect(bench.screen.contains("(no data)"))
    let rows = bench.canvas.text().filter { $0.hasPrefix("│ ") }.dropFirst()
    #expect(!rows.isEmpty && rows.allSatisfy { $0.contains("     unknown      ") }, "\(bench.screen)")
  }

  @Test("are dropped if the user has moved on before they arrive")
  func late() {
    var bench = Bench.opened(120, 40)
    bench.press("6", "=")
    bench.answers = false
    bench.press("enter", "9")
    let serial = bench.newest { if case .loadCompared(_, _, let serial) = $0 { serial } else { nil } }
    bench.answers = true
    bench.send(
      .comparedLoaded(
        Sample.report(.churn), with: Sample.report(.churn), serial: serial ?? -1))
    #expect(bench.state.context == .panel && bench.state.panel == .refunds)
  }

  @Test("say of less that is unknown how much less, and call it no change")
  func lessUnknown() throws {
    let question = Question(panel: .active, at: Sample.now)
    var other = Sample.report(question)
    other.data["auto_renew_unknown"] = 40
    other.data["paid"] -= 40
    var bench = Bench.opened(120, 40)
    bench.otherReport = { [other] _ in other }
    bench.press("3", "=", "enter")
    let table = try #require(bench.state.tableExport)
    let rows = table.rows
    guard case .compared(let figures) = table.records else { return #expect(Bool(false)) }
    #expect(figures.count == rows.count && figures.contains { $0.path == "auto_renew_unknown" })
    let unknown = try #require(rows.first { $0.first == "Auto-renew unknown" })
    #expect(unknown.dropFirst() == ["28", "40", "-12", ""])
    let paid = try #require(rows.first { $0.first == "Active paid" })
    #expect(paid.last?.isEmpty == false)
  }

  private static func compared(_ panel: Panel, _ windowDays: Int = 28, width: Int) -> String {
    let question = Question(panel: panel, at: Sample.now, windowDays: windowDays)
    let reports = ComparedReports(
      .before, Sample.report(question), Sample.otherReport(Comparison.before.that(question)),
      firstPurchase: Sample.now - 900 * Milliseconds.day)
    return text(of: reports, width: width)
  }

  @Test("call each figure by its own words, and are short", arguments: Comparison.panels)
  func words(_ panel: Panel) {
    let table = Self.compared(panel, 365, width: 400).split(separator: "\n").drop {
      !$0.hasPrefix("  Figure")
    }
    let rows = table.dropFirst().filter { $0.hasPrefix("  ") }.map { $0.dropFirst(2) }
    #expect(rows.count > 2 && rows.count < 160, "\(rows.count)")
    var seen: Set<String> = []
    for row in rows {
      let label = row.split(separator: "  ", maxSplits: 1).first.map(String.init) ?? ""
      #expect(
        label.first?.isUppercase == true && !label.replacing("stay_half_price", with: "").contains("_"),
        "\(label)")
      let currency = row.split(separator: " ").first {
        $0.count == 3 && $0.allSatisfy(\.isUppercase) && $0 != "MRR"
      }
      #expect(seen.insert("\(label) \(currency ?? "")").inserted, "\(label) is there twice")
    }
  }

  @Test("show no rise where the difference rounds to nothing")
  func nothing() throws {
    let question = Question(panel: .churn, at: Sample.now)
    var other = Sample.report(question)
    other.data[share: "churn_rate"] = try #require(other.data[share: "churn_rate"]) - 0.000_2
    let reports = ComparedReports(
      .before, Sample.report(question), other, firstPurchase: Sample.now - 900 * Milliseconds.day)
    let lines = text(of: reports, width: 120).split(separator: "\n")
    let line = try #require(lines.first { $0.contains("Churn rate") })
    #expect(line.hasSuffix(" 0.0 pt"), "\(line)")
  }

  @Test("are printed as a table", arguments: [Panel.active, .churn])
  func printed(_ panel: Panel) {
    Golden.expect(Self.compared(panel, width: 100), file: "compared-\(panel.rawValue).text")
  }
}
