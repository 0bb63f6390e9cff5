import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("The panels of recovery and of offers") struct RecoveryPanelTests {
  private static func printed(_ figures: FigureValues = Sample.offers) -> String {
    text(of: report(figures, .offers), width: 240)
  }

  private func change(_ offer: Int, of figures: inout FigureValues, _ change: (inout FigureValues) -> Void) {
    change(&figures[parts: "offers"][offer])
  }

  private static func report(_ figures: FigureValues, _ panel: Panel) -> Report {
    Report(answering: Question(panel: panel, at: Sample.now), trust: Sample.trust, data: figures)
  }

  @Test("has no rate of fewer than ten entries")
  func few() {
    var figures = FigureValues()
    figures[parts: "curve"] = Sample.curve(Array(repeating: (5, 10), count: 5) + [(9, 9)])
    let lines = text(of: Self.report(figures, .recovery), width: 240).split(separator: "\n")
    #expect(lines.contains { $0.contains("30 d  50.0 %") } && !lines.contains { $0.contains("100.0 %") })
    #expect(lines.contains { $0.contains("60 d       –") && $0.contains("9 of 9") }, "\(lines)")
  }

  /// Numbers of lines that entered billing retry in each week, and the indexes of the marked weeks.
  @Test(
    "mark weeks in which over twice as many entered as usual",
    arguments: [
      ("one bad week", [4, 18, 5, 3, 6], [1]), ("one that two weeks share", [4, 18, 13, 3, 6, 2], [1, 2]),
      ("twice as many are usual", [9, 18, 9, 9], []), ("few are chance", [2, 9, 2, 2], []),
      ("three weeks are too few for a usual value", [2, 40, 2], []),
    ] as [(String, [Int], [Int])])
  func unusualWeeks(_ name: String, _ entered: [Int], _ expected: [Int]) {
    var figures = FigureValues()
    figures[parts: "by_week"] = entered.enumerated().map { place, entered in
      Sample.part("week", "2026-06-0\(place + 1)", entered, entered, 0, 0)
    }
    let lines = text(of: Self.report(figures, .recovery), width: 200).split(separator: "\n")
    let marked = entered.indices.filter { place in
      lines.contains { $0.contains("2026-06-0\(place + 1) !") }
    }
    #expect(marked == expected, "\(name)")
    #expect(lines.contains { $0.contains("over twice the usual") } == !marked.isEmpty)
    #expect(lines.contains { $0.contains("2026-06-01") })
  }

  private static func down(_ rows: Int) -> [String] { Array(repeating: "j", count: rows) }

  @Test(
    "open each number into its rows",
    arguments: [
      (.recovery, ["g", "g"], "entered"),
      (.recovery, ["g", "g", "l"], "entered"),
      (.recovery, ["g", "g"] + down(8), "curve.1.recovered"),
      (.recovery, ["g", "g"] + down(8) + ["enter", "tab"], "curve.1.of"),
      (.recovery, ["g", "g"] + down(14), "standing.0"),
      (.recovery, ["G"], "by_product.com.example.pro.monthly.eu.entered"),
      (.offers, ["g", "g", "l"], "opt_outs.turned_off"),
      (
        .offers, ["G", "k", "enter", "tab", "tab"],
        "by_product.com.example.pro.monthly.offers.winback.back-for-3.converted"
      ),
      (.offers, ["G", "home", "enter"], "offers.trial.started"),
    ] as [(Panel, [String], String)])
  func opens(_ panel: Panel, _ keys: [String], _ figure: String) {
    var bench = Bench.opened(80, 110)
    bench.show(panel)
    for key in keys { bench.press(key) }
    if bench.state.context != .rows { bench.press("enter") }
    #expect(bench.lastRows?.figure == figure)
  }

  @Test("distinguish the rows of the curve")
  func tabs() {
    var bench = Bench.opened(160, 110)
    bench.show(.recovery)
    for key in ["g", "g", "j", "j", "j", "j", "l", "j", "j"] { bench.press(key) }
    bench.press("enter")
    #expect(bench.lastRows?.figure == "curve.7.recovered")
    #expect(
      bench.screen.contains(
        "[recovered within 7 days] entered billing retry 7 days earlier recovered within 7 days, previous window"
      ))
    // The names stay in place while there is room, and the current one is always visible.
    bench.press("tab")
    #expect(bench.screen.contains("→  recovered within 7 days [entered billing retry 7 days earlier]"))
    for _ in 0..<5 { bench.press("tab") }
    #expect(
      bench.screen.contains("… ") && bench.screen.contains("without a grace period]"), "\(bench.screen)")
  }

  @Test("balance what offers brought against what they cost, in each currency or in the reporting one")
  func balance() {
    let printed = Self.printed()
    func line(_ words: String) -> String {
      printed.split(separator: "\n").first { $0.contains(words) }.map(String.init) ?? ""
    }
    #expect(line("SPRING26").hasSuffix("USD 620.18"))
    #expect(line("back-for-3").hasSuffix("USD -87.84"))
    #expect(line("PARTNER").hasSuffix("EUR -31.43, USD -9.99"))
    var figures = Sample.offers
    var (cost, brought) = (Amounts(in: CurrencyCode("EUR")), Amounts(in: CurrencyCode("EUR")))
    cost.add(Sample.usd(1000), Converted(micros: 9_000_000))
    brought.add(Sample.usd(3000), Converted(micros: 28_000_000))
    change(0, of: &figures) { offer in
      (offer[amounts: "cost"], offer[amounts: "brought"]) = (cost, brought)
      offer[amounts: "balance"] = brought
      offer[amounts: "balance"].add(Sample.usd(-1000), Converted(micros: -9_000_000))
    }
    #expect(Self.printed(figures).contains("≈ EUR 19.00"))
  }

  @Test("say in the balance how many uses are priced, if not all are")
  func partialBalance() {
    #expect(Self.printed().contains("USD -42, 31 of 96 priced"))
    var bench = Bench.opened(80, 24)
    bench.show(.offers)
    #expect(bench.screen.contains("USD -42, 31 of"), "\(bench.screen)")
    var figures = Sample.offers
    change(0, of: &figures) { ($0["unpriced"], $0[amounts: "balance"]) = ($0["started"], Amounts()) }
    #expect(Self.printed(figures).contains(" 0 of 212 priced\n"))
    change(0, of: &figures) { ($0["started"], $0["unpriced"]) = (0, 0) }
    let line = Self.printed(figures).split(separator: "\n").first { $0.contains("pro.weekly") }
    #expect(line?.hasSuffix("–") == true)
  }

  @Test("begin a campaign with its total over products and kinds")
  func campaigns() {
    var figures = Sample.offers
    change(3, of: &figures) { ($0[text: "kind"], $0[text: "offer"]) = ("code", "FAIR") }
    change(4, of: &figures) { ($0[text: "kind"], $0[text: "offer"]) = ("trial", "FAIR") }
    var bench = Bench.opened(140, 50)
    bench.report = { $0.panel == .offers ? Self.report(figures, .offers) : Sample.report($0) }
    bench.show(.offers)
    let shown = bench.screen.words
    #expect(
      shown.contains("trial – all 2 308 83 129 57.3 % 96 USD 2,490.85 USD 562, 243 of 308 priced"))
    #expect(shown.contains("code, trial FAIR all 2 79"), "\(bench.screen)")
    #expect(!shown.contains("SPRING26 all"))
    bench.press("/", "product:all offer:FAIR", "enter", "enter")
    #expect(bench.lastRows?.figure == "offers.all.FAIR.started")
    #expect(bench.screen.contains(" Uses, FAIR: "), "\(bench.screen)")
  }

  @Test("say how many higher prices the list leaves out")
  func leftOut() {
    let printed = Self.printed()
    #expect(printed.contains("Price increases awaiting consent, 8 most urgent of 21\n"), "\(printed)")
  }

  @Test("have the details of a row below the list")
  func foot() {
    var figures = Sample.offers
    change(1, of: &figures) { $0["started_before"] = 12 }
    var bench = Bench.opened(160, 50)
    bench.report = { $0.panel == .offers ? Self.report(figures, .offers) : Sample.report($0) }
    bench.show(.offers)
    bench.press("end")
    var foot = ""
    for _ in figures[parts: "offers"] {
      foot += bench.canvas.text().filter { $0.contains("\u{2514}") }.joined(separator: "\n") + "\n"
      bench.press("k")
    }
    for words in [
      "cost USD 309.69 of 31 priced, revenue USD 829.17, 22 running, 41 converted, 33 lost",
      "55 lost, 12 more in the previous window", "cost USD 1,057.88, revenue USD 1,661.68, 61 running",
    ] {
      #expect(foot.contains(words), "\(foot)")
    }
  }

  @Test("say of how many uses the rows behind a balance are")
  func partialRows() {
    let rows = Sample.rows(Question(panel: .offers, at: Sample.now), "any")
    func title(_ figure: String) -> String {
      text(of: rows, of: Self.report(Sample.offers, .offers), figure: figure, width: 200)
    }
    let balance = "by_product.com.example.pro.monthly.offers.trial.balance"
    #expect(title(balance).contains(" (31 of 96 uses priced)"))
    #expect(title("offers.trial.balance").contains(" (243 of 308 uses priced)"))
    for figure in ["offers.code.SPRING26.balance", "by_product.com.example.pro.monthly.offers.trial.cost"] {
      #expect(!title(figure).contains(" uses priced)"), "\(figure)")
    }
  }

  @Test("count requests and times, which a subscription may be in more than once")
  func times() {
    let rows = FigureRows(
      count: 3, rows: Array(repeating: Sample.row(0, product: Sample.weekly, isLine: true, "any"), count: 3))
    func title(_ figure: String) -> String {
      text(of: rows, of: Self.report(Sample.offers, .offers), figure: figure)
    }
    for (figure, words) in [
      ("price_increases.asked", "Price consent requests: 3 requests of 1 subscription"),
      ("opt_outs.turned_off", "Times auto-renew was turned off: 3 times of 1"),
      ("price_increases.pending", "Price increase pending now: 3 subscriptions"),
    ] {
      #expect(title(figure).contains(words))
    }
  }

  @Test("have no word or term that is cut off", arguments: [Panel.offers, .recovery, .churn, .movement])
  func wholeMeanings(_ panel: Panel) {
    var bench = Bench.opened(80, 230)
    bench.show(panel)
    bench.press("?")
    let shown = bench.words
    #expect(!panel.meanings.isEmpty)
    for meaning in panel.meanings {
      for text in [meaning.words, meaning.term] + [meaning.note].compactMap(\.self) {
        #expect(shown.contains(text.words), "\(text)")
      }
    }
    guard panel == .offers else { return }
    bench.press("/", "\"all later purchases\"", "enter")
    #expect(bench.screen.contains("offers.*.brought") && !bench.screen.contains("offers.*.cost"))
  }

  /// Help must distinguish two figures with the same name.
  @Test(
    "say how another figure by their name counts",
    arguments: [
      (.movement, "subscribers.converted", "in the movement: subscriptions first paid in the window"),
      (.movement, "trials.converted", "directly from a trial; converted subscribers also include those"),
      (.churn, "trials.converted", "among trials that ended in it: those paid within 24 h"),
      (.overview, "trials.converted", "in the movement: subscriptions first paid in the window"),
      (.movement, "subscribers.resubscribed", "among purchased periods: all that began after an end"),
      (.churn, "arrivals.reactivation", "in the movement: subscriptions paid again after they had ended"),
    ] as [(Panel, String, String)])
  func namesakes(_ panel: Panel, _ path: String, _ words: String) {
    var bench = Bench.opened()
    bench.show(panel)
    bench.press("?", "/", path, "enter")
    #expect(bench.words.contains(words), "\(bench.screen)")
  }

  @Test("are empty if nothing happened", arguments: [Panel.recovery, .offers])
  func empty(_ panel: Panel) {
    let printed = text(of: Self.report(FigureValues(), panel))
    #expect(
      printed.contains(
        panel == .recovery ? "No subscriptions entered billing retry." : "No trials or offers started."))
    #expect(!printed.contains("nan") && !printed.contains("inf"))
  }
}
