import Dashboard
import Screen
import Subscriptions
import Testing

/// A list of a panel and its columns.
struct WideList: CustomTestStringConvertible, Sendable {
  let tab: Tab
  let title: String
  let columns: Set<String>
  var testDescription: String { "\(tab.title): \(title)" }

  init(_ panel: Panel, _ title: String, _ columns: Set<String>) {
    (tab, self.title, self.columns) = (.panel(panel), title, columns)
  }

  init(sweeps title: String, _ columns: Set<String>) {
    (tab, self.title, self.columns) = (.sweep, title, columns)
  }

  static let all = [
    WideList(
      .overview, "By product", ["Product", "Paid", "Change", "Lost", "MRR", "MRR change", "Trials"]),
    WideList(.active, "By product", ["Product", "Paid", "Trial", "Grace", "MRR"]),
    WideList(
      .billingRetry, "In billing retry, the newest first",
      ["Subscription", "App user", "Product", "Expired", "Left", "Store"]),
    WideList(
      .recovery, "Entered by product", ["Product", "Entered", "Back", "Recovered", "In retry", "Lost"]),
    WideList(.churn, "Renewals due", ["Period", "Due", "Renewed", "Lost", "Rate"]),
    WideList(
      .offers, "Trials and offers", ["Kind", "Product", "Started", "Running", "Again", "Cost", "Balance"]),
    WideList(.refunds, "product", ["Product", "Refunds", "At price"]),
    WideList(
      .upgrades, "Replaced periods",
      ["When", "From", "To", "Kind", "Price", "Dated", "Subscription", "Store"]),
    WideList(
      .events, "events in 28 d", ["When", "Product", "Movement", "Price", "Reason", "Subscription", "Store"]),
    WideList(sweeps: "Apple's answers", ["Status", "Meaning", "Count", "Share", "Seen", "Receipt"]),
    WideList(sweeps: "Delay until noticed", ["Event", "Seen", "Median", "95th percentile"]),
  ]

  /// Those of its columns that show; nil where the list does not.
  func shown(on canvas: Canvas) -> Set<String>? {
    guard let titles = canvas.rows(of: title)?.first else { return nil }
    let words = titles.split(separator: "  ").map { word in
      word.split { " \u{2502}".contains($0) }.joined(separator: " ")
    }
    return columns.intersection(words)
  }
}

/// A figure of a panel that is followed over time.
struct WideFigure: CustomTestStringConvertible, Sendable {
  let panel: Panel
  let title: String
  let label: String
  var testDescription: String { "\(panel.title): \(title), \(label)" }

  init(_ panel: Panel, _ title: String, _ label: String) {
    (self.panel, self.title, self.label) = (panel, title, label)
  }

  static let all = [
    WideFigure(.overview, "Subscribers now", "Billing retry"),
    WideFigure(.overview, "Lost in 28 d", "Paid or in retry"),
    WideFigure(.overview, "Trials in 28 d", "converted"), WideFigure(.overview, "Monthly revenue now", "MRR"),
    WideFigure(.overview, "Money in 28 d", "Refunds issued"),
    WideFigure(.active, "Active, trials, MRR", "Active paid"),
    WideFigure(.billingRetry, "Unpaid", "Billing retry"),
    WideFigure(.churn, "Lost 4.6 % of 1,812", "Paid or in retry"),
    WideFigure(.churn, "Trials, periods bought", "Periods begun new"),
    WideFigure(.refunds, "Issued in 28 d", "Refunds"),
    WideFigure(.upgrades, "Upgrade credit \u{2500}", "Upgrade credit"),
  ]

  /// What stands beside its name; nil where it is not on the screen.
  func shown(on canvas: Canvas) -> Set<String>? {
    guard
      let row = canvas.rows(of: title)?.first(where: {
        $0.drop { " \u{2502}".contains($0) }.hasPrefix("\(label) ")
      })
    else { return nil }
    let marks = [
      "number": "0123456789", "change": "\u{25B2}\u{25BC}=",
      "course": "\u{2581}\u{2582}\u{2583}\u{2584}\u{2585}\u{2586}\u{2587}\u{2588}",
    ]
    return Set(marks.filter { row.dropFirst(label.count).contains(where: $0.value.contains) }.keys)
  }
}

/// Names that stand in every row of a list.
struct WideNames: CustomTestStringConvertible, Sendable {
  let panel: Panel
  let title: String
  let names: Set<String>
  /// Those of them that show whole on the narrowest screen.
  let narrow: Set<String>
  let put: @Sendable (inout Report) -> Void
  var testDescription: String { "\(panel.title): \(title)" }

  static let all = [
    WideNames(
      panel: .events, title: "events in 28 d",
      names: ["SUBSCRIPTION_EXTENDED \u{2713}", "app.month \u{2192} app.halfyear"],
      narrow: ["SUBSCRIPTION_EXTENDED \u{2713}"]
    ) { putChange(from: "app.month", to: "app.halfyear", in: &$0) },
    WideNames(
      panel: .events, title: "events in 28 d",
      names: ["SUBSCRIPTION_EXTENDED \u{2713}", "basic.quarterly \u{2192} premium.yearly"],
      narrow: ["SUBSCRIPTION_EXTENDED \u{2713}", "basic.quarterly \u{2192} premium.yearly"]
    ) { putChange(from: "basic.quarterly", to: "premium.yearly", in: &$0) },
    WideNames(
      panel: .billingRetry, title: "In billing retry, the newest first",
      names: ["customer-20391", "premium.halfyear"], narrow: ["premium.halfyear"]
    ) { report in
      guard case .billingRetry(var figures) = report.data else { return }
      for place in figures.rows.indices {
        figures.rows[place].appUserId = AppUserID("customer-20391")
        figures.rows[place].productId = ProductID("premium.halfyear")
      }
      report.data = .billingRetry(figures)
    },
    WideNames(
      panel: .offers, title: "Trials and offers", names: ["half_price", "basic.week"],
      narrow: ["half_price"]
    ) { report in
      guard case .offers(var figures) = report.data else { return }
      for place in figures.offers.indices {
        figures.offers[place].offer = "half_price"
        figures.offers[place].productId = ProductID("basic.week")
      }
      report.data = .offers(figures)
    },
  ]

  private static func putChange(from old: String, to new: String, in report: inout Report) {
    guard case .events(var figures) = report.data else { return }
    for place in figures.rows.indices {
      (figures.rows[place].type, figures.rows[place].notificationType) = (.subscriptionExtended, .didRenew)
      figures.rows[place].productID = ProductID(old)
      figures.rows[place].newProductID = ProductID(new)
    }
    report.data = .events(figures)
  }

  /// Those that show whole; nil where the list does not.
  func shown(on canvas: Canvas) -> Set<String>? {
    canvas.rows(of: title).map { rows in names.filter(rows.joined().contains) }
  }
}

extension Canvas {
  /// The rows of a titled box below its title, as far as they are on the screen; nil where not even the first is.
  func rows(of title: String) -> [String]? {
    let lines = text().map(Array.init)
    for (row, line) in lines.enumerated() {
      let whole = String(line)
      let edges = line.indices.filter { line[$0] == "\u{250C}" }
      guard let place = whole.firstRange(of: "\u{250C}\u{2500} \(title)") ?? whole.firstRange(of: title),
        let start = edges.last(where: { $0 <= whole.distance(from: whole.startIndex, to: place.lowerBound) })
      else { continue }
      let end = line[start...].firstIndex(of: "\u{2510}") ?? line.endIndex
      let below = lines.dropFirst(row + 1).map { String($0.dropFirst(start).prefix(end - start + 1)) }
      let inside = Array(below.prefix { $0.hasPrefix("\u{2502}") })
      if !inside.isEmpty { return inside }
    }
    return nil
  }
}

extension Bench {
  /// Looks for something on the page that shows, also where it is scrolled out of sight.
  mutating func found<Found>(_ look: (Canvas) -> Found?) -> Found? {
    if let found = look(canvas) { return found }
    press("G")
    if let found = look(canvas) { return found }
    press("g", "g", "g")
    for _ in 0..<120 {
      if let found = look(canvas) { return found }
      press("j")
    }
    return nil
  }
}

@Suite("A wider screen") struct WidthTests {
  static let widths = stride(from: 80, through: 240, by: 4)

  @Test("shows every column of a narrower one", arguments: WideList.all, [24, 40, 60])
  func columns(_ list: WideList, _ rows: Int) {
    var bench = Bench.opened(80, rows)
    bench.press(String(list.tab.key))
    widen(&bench, rows, list.shown)
  }

  /// Looks at every width for what is to be found, and judges it together with its screen.
  private func eachWidth<Found>(
    of bench: inout Bench, _ rows: Int, _ look: (Canvas) -> Found?, _ judge: (Found, String) -> Void
  ) {
    for width in Self.widths {
      bench.send(.input(.resize(Size(columns: width, rows: rows))))
      guard let found = bench.found(look) else {
        Issue.record("it is nowhere at \(width)x\(rows)")
        continue
      }
      judge(found, "\(width)x\(rows)\n\(bench.screen)")
    }
  }

  /// Looks at every width whether what shows is still what showed before, at the least.
  ///
  /// - Returns: what shows at the widest.
  @discardableResult private func widen(
    _ bench: inout Bench, _ rows: Int, _ shown: (Canvas) -> Set<String>?
  ) -> Set<String> {
    var known: Set<String> = []
    eachWidth(of: &bench, rows, shown) { found, screen in
      #expect(found.isSuperset(of: known), "\(known.subtracting(found)): \(screen)")
      known = found
    }
    return known
  }

  @Test("cuts no ordinary name that a narrower one shows", arguments: WideNames.all, [24, 40])
  func names(_ list: WideNames, _ rows: Int) {
    var bench = Bench(80, rows)
    bench.report = { question in
      var report = Sample.report(question)
      list.put(&report)
      return report
    }
    bench.send(.opened)
    bench.show(list.panel)
    #expect(bench.found(list.shown)?.isSuperset(of: list.narrow) == true, "\(bench.screen)")
    #expect(widen(&bench, rows, list.shown) == list.names)
  }

  @Test("shows every change and every course of a narrower one", arguments: WideFigure.all, [24, 40, 60])
  func figures(_ figure: WideFigure, _ rows: Int) {
    var bench = Bench(80, rows)
    bench.report = { question in
      var report = Sample.report(question)
      // The sample does not know it.
      if question.panel == .billingRetry { report.trend.add(30, to: "lines", at: nil) }
      return report
    }
    bench.send(.opened)
    bench.show(figure.panel)
    let all: Set<String> = ["number", "change", "course"]
    let known = widen(&bench, rows) { canvas in
      let shown = figure.shown(on: canvas)
      #expect(shown.map { [["number"], ["number", "change"], all].contains($0) } ?? true)
      return shown
    }
    #expect(known == all)
  }

  @Test(
    "shows a tile's change where a narrower one does, and its course unless the number is drawn large",
    arguments: ["MRR", "Subscribers", "Trials"],
    [24, 40])
  func tiles(_ title: String, _ rows: Int) {
    var bench = Bench.opened(80, rows)
    var known: Set<String> = []
    // Half and whole blocks are also what large digits are made of.
    let marks = [
      "change": "\u{25B2}\u{25BC}=", "course": "\u{2581}\u{2582}\u{2583}\u{2585}\u{2586}\u{2587}",
    ]
    for width in Self.widths {
      bench.send(.input(.resize(Size(columns: width, rows: rows))))
      let tile = bench.found { $0.rows(of: "\(title) \u{2500}") }?.joined() ?? ""
      let shown = Set(marks.filter { tile.contains(where: $0.value.contains) }.keys)
      let isLarge = tile.contains("\u{2580}")
      #expect(
        shown.union(isLarge ? ["course"] : []).isSuperset(of: known),
        "\(known.subtracting(shown)) at \(width): \(tile)")
      known = shown
    }
    #expect(known == Set(marks.keys))
  }

  @Test("has no list's bars while names are cut", arguments: [24, 40])
  func bars(_ rows: Int) {
    let name = "pro.with.a.name.that.is.longer.than.others.and.asks.for.room"
    var bench = Bench(80, rows)
    bench.report = { question in
      var report = Sample.report(question)
      guard case .active(var figures) = report.data else { return report }
      figures.byProduct[0].productId = ProductID(name)
      report.data = .active(figures)
      return report
    }
    bench.send(.opened)
    bench.show(.active)
    var (cut, barred) = (0, 0)
    eachWidth(of: &bench, rows, { $0.rows(of: "By product")?.joined() }) { list, screen in
      let hasBars = list.contains("\u{2588}")
      #expect(!hasBars || !list.contains("\u{2026}"), "\(screen)")
      cut += list.contains("\u{2026}") ? 1 : 0
      barred += hasBars ? 1 : 0
    }
    #expect(cut > 0 && barred > 0)
  }

  @Test("has no column of less worth while an ordinary name is cut", arguments: [24, 40])
  func ordinaryNames(_ rows: Int) {
    var bench = Bench(80, rows)
    bench.report = { question in
      var report = Sample.report(question)
      guard case .upgrades(var figures) = report.data else { return report }
      for place in figures.rows.indices {
        figures.rows[place].fromProductId = ProductID("basic.quarterly.intro")
        figures.rows[place].toProductId = ProductID("premium.halfyear.intro")
      }
      report.data = .upgrades(figures)
      return report
    }
    bench.send(.opened)
    bench.show(.upgrades)
    var titles: Set<String> = []
    eachWidth(of: &bench, rows, { $0.rows(of: "Replaced periods") }) { list, screen in
      let less = ["Kind", "Price", "Dated", "Subscription", "Store"].filter {
        list.first?.contains($0) ?? false
      }
      #expect(less.isEmpty || !list.joined().contains("\u{2026}"), "\(less): \(screen)")
      titles.formUnion(less)
    }
    #expect(titles.contains("Subscription"))
  }

  @Test("names no event in a part of Apple's name", arguments: [24, 40])
  func appleNames(_ rows: Int) {
    var bench = Bench.opened(80, rows)
    bench.show(.events)
    var isNamed = false
    eachWidth(of: &bench, rows, { $0.rows(of: "events in 28 d") }) { list, screen in
      guard list.first?.contains("Apple's name") == true else { return }
      isNamed = true
      #expect(!list.joined().contains("\u{2026}"), "\(screen)")
    }
    #expect(isNamed)
  }

  @Test("loses no mark of an event that was notified, as no narrower one does", arguments: [24, 40])
  func notified(_ rows: Int) {
    var bench = Bench(80, rows)
    bench.report = { question in
      var report = Sample.report(question)
      guard case .events(var figures) = report.data else { return report }
      for place in figures.rows.indices {
        figures.rows[place].type = .priceConsentAccepted
        figures.rows[place].notificationType = .didRenew
      }
      report.data = .events(figures)
      return report
    }
    bench.send(.opened)
    bench.show(.events)
    let events = { (canvas: Canvas) in
      let rows = canvas.text().filter { $0.contains("\u{2502} 2026-") }
      return rows.isEmpty ? nil : rows
    }
    eachWidth(of: &bench, rows, events) { events, screen in
      #expect(events.allSatisfy { $0.contains("\u{2713}") }, "\(screen)")
    }
  }

  @Test("of a usual size cuts no figure's name of Churn", arguments: [(80, 24), (100, 30), (120, 40)])
  func figureNames(_ columns: Int, _ rows: Int) {
    var bench = Bench.opened(columns, rows)
    bench.show(.churn)
    let figures = bench.found { canvas in
      canvas.rows(of: "Trials, periods bought").flatMap { $0.joined().contains("resubscribed") ? $0 : nil }
    }
    #expect(figures?.contains { $0.contains("Returned") } == true)
    #expect(figures?.joined().contains("\u{2026}") == false, "\(bench.screen)")
  }

  @Test(
    "of a usual size has every title in whole words", arguments: Tab.all,
    [(80, 24), (100, 30), (120, 40), (200, 60)])
  func titles(_ tab: Tab, _ size: (columns: Int, rows: Int)) {
    var bench = Bench.opened(size.columns, size.rows)
    bench.press(String(tab.key))
    for _ in 0..<20 {
      for line in bench.canvas.text() where line.contains("\u{250C}\u{2500}") {
        #expect(!line.contains("\u{2026}\u{2500}"), "\(line)")
      }
      bench.press("pgdn")
    }
  }

  @Test("has every column of the overview's products", arguments: [200, 240], [40, 60])
  func products(_ columns: Int, _ rows: Int) throws {
    let list = try #require(WideList.all.first)
    var bench = Bench.opened(columns, rows)
    #expect(bench.found(list.shown) == list.columns, "\(bench.screen)")
  }
}
