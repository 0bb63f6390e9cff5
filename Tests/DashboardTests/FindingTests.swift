import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("Looking for something") struct FindingTests {
  private static let users = ["user-001291", "user-001292", "user-4821"]

  private static func bench(_ size: Size = Size(columns: 80, rows: 24)) -> Bench {
    var bench = Bench.opened(size.columns, size.rows)
    bench.suggestions = { text in
      IDSuggestions(
        users.filter { $0.contains(text) }.map { IDSuggestion(.appUser, $0) }
          + ["310001655120400"].filter { $0.hasPrefix(text) }.map { IDSuggestion(.transaction, $0) })
    }
    return bench
  }

  @Test("suggests while one types, and opens what is chosen, or else the nearest, and says which that is")
  func several() {
    var bench = Self.bench()
    bench.press("f", "0012")
    #expect(bench.screen.contains("user-001291") && bench.screen.contains("user-001292"))
    #expect(bench.screen.contains("app user") && !bench.screen.contains("user-4821"))
    #expect(bench.screen.contains("Enter opens user-001291"))
    bench.press("enter")
    #expect(bench.lastSearch?.id == "user-001291")
    #expect(bench.state.prompt == nil && bench.state.context == .chain)
    bench.press("esc", "f", "0012", "down", "down")
    #expect(!bench.screen.contains("Enter opens"))
    bench.press("enter")
    #expect(bench.lastSearch?.id == "user-001292")
    bench.press("esc", "f", "0012", "tab", "s-tab", "up", "enter")
    #expect(bench.lastSearch?.id == "user-001291")
  }

  @Test("takes what holds what was typed before what has its letters somewhere")
  func nearest() {
    var bench = Bench.opened(120, 40)
    bench.suggestions = { _ in IDSuggestions([IDSuggestion(.appUser, "w-e-e-k-l-y")]) }
    bench.press("f", "weekl", "enter")
    #expect(bench.state.product == Sample.weekly && bench.lastSearch == nil)
    bench.press("f", "wkly", "enter")
    #expect(bench.lastSearch?.id == "w-e-e-k-l-y")
  }

  @Test("offers nothing for text without letters and digits", arguments: ["-", "/", "."])
  func signs(_ text: String) {
    var bench = Bench.opened()
    bench.press("f", text)
    #expect(!bench.screen.contains(" tab"), "\(bench.screen)")
  }

  @Test("looks up an id as typed if the store has not answered yet, or has no match")
  func unknown() {
    var bench = Self.bench()
    bench.press("f", "nobody")
    #expect(bench.screen.contains("Nothing matches"))
    bench.press("enter")
    #expect(bench.lastSearch?.id == "nobody" && bench.state.prompt == nil)
    #expect(bench.screen.ranges(of: "Nothing matches \"nobody\".").count == 1)
    bench.answers = false
    bench.press("f", "user-4821")
    #expect(bench.screen.contains("searching") && !bench.screen.contains("Nothing matches"))
    bench.press("enter")
    #expect(bench.lastSearch?.id == "user-4821")
  }

  /// Labels on the screen are found by their own words and by their names in METRICS, the best match first.
  @Test(
    "finds labels, tabs and figures",
    arguments: [
      ("arr", "ARR"), ("paid or in retry", "Paid or in retry"), ("refund rate", "Refund rate"),
      ("rate refund", "Refund rate"), ("churn", "Churn"), ("billing retry", "Billing retry"),
      ("overdue", "Unverified"), ("prorated_refund", "Upgrade credit"), ("freshness", "Fresh (24 h)"),
      ("trial conv", "converted"), ("proceeds", "Proceeds"), ("detection lag", "Detection lag"),
      ("opt-outs", "Opt-outs"), ("expansion", "MRR: expansion"),
      ("renewals due", "Renewals due"), ("due within 24 h", "Due within 24 h"), ("expected", "expected"),
      ("renews", "Due within 7 d"), ("forecast", "Due within 7 d"), ("queue", "Due"),
    ])
  func labels(_ typed: String, _ line: String) {
    var bench = Self.bench(Size(columns: 120, rows: 40))
    bench.press("f", typed)
    #expect(bench.screen.contains("Enter opens \(line) "), "\(bench.screen)")
    bench.press("enter")
    #expect(bench.state.prompt == nil && bench.lastSearch == nil)
  }

  @Test("offers figures by their names after :figure, never by their paths")
  func figureNames() {
    var bench = Self.bench(Size(columns: 120, rows: 40))
    bench.press(":", "figure ")
    let lines = bench.canvas.text().filter { $0.contains(" figure ") }
    #expect(lines.contains { $0.contains("figure Movement: Subscribers: opening") } && lines.count == 10)
    #expect(!lines.contains { $0.contains("_") })
    bench.press("active: arr", "enter")
    #expect(bench.lastRows?.figure == "mrr" && bench.state.panel == .active)
  }

  @Test("finds offers, and shows what became of one since it began", arguments: ["spring", "SPRING"])
  func offer(_ typed: String) {
    var bench = Bench.opened()
    bench.suggestions = { text in
      IDSuggestions("spring".hasPrefix(text.lowercased()) ? [IDSuggestion(.offer, "SPRING")] : [])
    }
    bench.press("f", typed)
    #expect(bench.screen.contains("SPRING") && bench.screen.contains("offer"))
    bench.press("enter")
    #expect(bench.state.panel == .offers && bench.lastSearch == nil)
    #expect(bench.screen.contains("all, ") && bench.screen.contains("/offer=\"SPRING\""))
    bench.press("esc")
    #expect(!bench.screen.contains("/offer="))
  }

  /// Leaving an offer restores the window; choosing another window keeps the filter.
  @Test(
    "gives the window back that was there before an offer",
    arguments: [
      ["esc"], ["3"], ["3", "8"], ["/", "^U", "trial", "enter"], ["f", "spring", "enter", "esc"], ["W"],
      ["w"],
    ])
  func window(_ keys: [String]) {
    let (days, isFiltered) = keys == ["w"] ? (7, true) : (90, false)
    var bench = Bench.opened(120, 40)
    bench.suggestions = { _ in IDSuggestions([IDSuggestion(.offer, "SPRING")]) }
    bench.press("w", "f", "spring", "enter")
    #expect(bench.screen.contains("over the whole history") && bench.screen.contains("all, "))
    var next = Bench(120, 40)
    next.remember(bench.state.remembered)
    #expect(next.state.window.days == 90)
    for key in keys { bench.press(key) }
    #expect(bench.state.window.days == days, "\(bench.screen)")
    #expect(
      !bench.screen.contains("over the whole history") && !bench.screen.contains("all, "), "\(bench.screen)")
    bench.show(.offers)
    #expect(bench.screen.contains("\(days) d"))
    #expect(bench.screen.contains("/offer=") == isFiltered, "\(bench.screen)")
  }

  @Test("suggests a name that begins with what was typed before ids that do")
  func names() {
    var bench = Bench.opened(120, 40)
    bench.suggestions = { _ in
      IDSuggestions(
        (0..<11).map { IDSuggestion(.accountToken, "c\($0)4-77a") } + [IDSuggestion(.offer, "CAMPUS")])
    }
    bench.press("f", "c")
    #expect(bench.screen.contains("Enter opens CAMPUS"), "\(bench.screen)")
    bench.press("down", "enter")
    #expect(bench.state.panel == .offers)
    bench.suggestions = { _ in IDSuggestions((0..<12).map { IDSuggestion(.appUser, "weekend-\($0)") }) }
    bench.press("f", "week")
    #expect(bench.screen.contains("Enter opens weekly"), "\(bench.screen)")
  }

  @Test("keeps the selected choice when the store's choices arrive")
  func chosen() throws {
    var bench = Bench.opened(120, 40)
    bench.answers = false
    bench.press("f", "week")
    let (text, serial) = try #require(bench.lastTyped)
    #expect(text == "week")
    bench.press("down")
    bench.send(
      .suggested(
        IDSuggestions([IDSuggestion(.offer, "WEEKEND"), IDSuggestion(.order, "week-1")]), serial: serial))
    bench.answers = true
    bench.press("enter")
    #expect(bench.state.product == Sample.weekly)
  }

  @Test("says why the store could not be looked at, and does not wait for it any more")
  func failed() throws {
    var bench = Self.bench()
    bench.answers = false
    bench.press("f", "u")
    let serial = try #require(bench.lastTyped).serial
    bench.send(.failed("The disk is gone.", serial: serial))
    #expect(bench.screen.contains("The disk is gone.") && !bench.screen.contains("searching"))
    bench.send(.suggested(IDSuggestions([IDSuggestion(.order, "u-1")]), serial: serial))
    #expect(!bench.screen.contains("u-1"))
  }

  @Test("opens the nearest figure if Enter comes before the suggestions")
  func hasty() throws {
    var bench = Self.bench(Size(columns: 120, rows: 40))
    bench.answers = false
    bench.press("f", "billing retr", "enter")
    guard case .find(id: "billing retr", at: _, let serial)? = bench.effects.last else {
      Issue.record("\(bench.effects)")
      return
    }
    bench.answers = true
    bench.send(.found([], serial: serial))
    #expect(bench.state.panel == .billingRetry || bench.state.context == .rows, "\(bench.screen)")
    #expect(!bench.screen.contains("Nothing matches"), "\(bench.screen)")
  }

  /// Another id than the typed one would open another customer.
  @Test(
    "opens an offer, but no other id, if Enter comes before the suggestions",
    arguments: [
      ("SPRING", IDSuggestion(.offer, "SPRING"), true), ("SPRING", nil, false),
      ("10000001", IDSuggestion(.order, "100000012345678"), false),
    ])
  func hastyOffer(_ text: String, _ found: IDSuggestion?, _ opens: Bool) throws {
    var bench = Bench.opened(120, 40)
    bench.press("0")
    bench.answers = false
    bench.press("f", text, "enter")
    guard case .find(_, _, let serial)? = bench.effects.last else {
      Issue.record("\(bench.effects)")
      return
    }
    bench.answers = true
    bench.suggestions = { _ in IDSuggestions(found.map { [$0] } ?? []) }
    bench.send(.found([], serial: serial))
    #expect((bench.state.panel == .offers) == opens)
    #expect(bench.screen.contains("Nothing matches \"\(text)\".") == !opens, "\(bench.screen)")
  }

  @Test("selects the row of an offer, whatever was selected before")
  func offerAgain() {
    var bench = Bench.opened(120, 40)
    bench.suggestions = { _ in IDSuggestions([IDSuggestion(.offer, "SPRING26")]) }
    bench.press("8", "g", "g", "f", "SPRING26", "enter")
    #expect(bench.selectedLine?.contains("SPRING26") == true, "\(bench.screen)")
  }

  @Test("takes the newest answer alone")
  func newest() throws {
    var bench = Self.bench()
    bench.answers = false
    bench.press("f", "u")
    let first = try #require(bench.lastTyped).serial
    bench.press("s")
    bench.send(.suggested(IDSuggestions([IDSuggestion(.order, "u-1")]), serial: first))
    #expect(!bench.screen.contains("u-1"))
    let (text, second) = try #require(bench.lastTyped)
    #expect(text == "us")
    bench.send(
      .suggested(IDSuggestions([IDSuggestion(.order, "us-1")], isComplete: false), serial: second))
    #expect(bench.screen.contains("us-1") && bench.screen.contains("not all ids were searched"))
    bench.press("esc")
    #expect(!bench.screen.contains("us-1") && bench.state.prompt == nil)
  }

  @Test("knows figures and products by their names")
  func named() {
    var bench = Self.bench(Size(columns: 120, rows: 40))
    bench.press("f", "mrr")
    #expect(bench.screen.contains("rows of Active"))
    bench.press("enter")
    #expect(bench.state.panel == .active && bench.state.context == .rows && bench.lastRows?.figure == "mrr")
    bench.press("f", "weekly", "enter")
    #expect(bench.state.product == Sample.weekly && bench.state.context == .panel)
  }

  @Test("is what the palette does as well")
  func palette() {
    var bench = Self.bench(Size(columns: 120, rows: 40))
    bench.press(":", "mrr")
    #expect(bench.screen.contains("figure Active: MRR"))
    bench.press("enter")
    #expect(bench.state.context == .rows && bench.lastRows?.figure == "mrr")
    bench.press(":", "weekly", "enter")
    #expect(bench.state.product == Sample.weekly)
    bench.press("esc", ":", "weekl", "enter")
    #expect(bench.state.product == Sample.weekly, "the only match")
    bench.press(":", "figure lost_tri", "enter")
    #expect(bench.lastRows?.figure == "lost_trial")
    bench.press(":", "figure churn lost_paid", "enter")
    #expect(bench.state.panel == .churn && bench.lastRows?.figure == "lost_paid")
  }
}
