import Dashboard
import FoundationEssentials
import Screen
import Subscriptions
import Testing

@Suite("Viewing") struct ViewingTests {
  @Test("goes through the windows and then to all that is known")
  func windows() {
    var bench = Bench.opened()
    var seen: [Int] = []
    for _ in 0..<7 {
      bench.press("w")
      seen.append(bench.state.window.days)
    }
    #expect(seen == [90, 365, 901, 7, 21, 31, 28])
    bench.press(":", "window all", "enter")
    #expect(bench.state.window.days == 901)
    #expect(bench.screen.contains("all, 901 d"))
    bench.press("3")
    #expect(bench.state.tableExport?.notes.contains { $0.value == "all, 901 d" } == true)
  }

  @Test("shows months in the zone of the times, and past ones as of their end")
  func months() throws {
    var bench = Bench.opened(200, 60)
    bench.report = { question in
      var report = Sample.report(question)
      report.trend.forget("billing_retry", at: report.trend.endsMs.count - 1)
      return report
    }
    bench.press(":", "window month", "enter")
    #expect(bench.screen.contains("2026-11 to date (UTC), against 2026-10 to the same day."))
    #expect(bench.lastQuestion?.at == Sample.now && bench.lastQuestion?.isLookingBack == false)
    bench.press("w")
    #expect(bench.screen.contains("2026-10 (UTC), balances at its end, against 2026-09."))
    let end = Instant(parsing: "2026-10-31T23:59:59.999Z")
    #expect(bench.lastQuestion?.at == end && bench.lastQuestion?.knownAt == Sample.now)
    #expect(bench.screen.contains("2026-10-31 23:59 UTC  production  2026-10"), "\(bench.screen)")
    #expect(bench.screen.contains("Subscribers at the end"), "\(bench.screen)")
    #expect(bench.screen.contains("unknown"), "not validated then: \(bench.screen)")
    bench.press("z")
    #expect(bench.lastQuestion?.at == Instant(parsing: "2026-10-31T14:59:59.999Z"))
    #expect(bench.screen.contains("Times and months in Asia/Tokyo."))
    var next = Bench()
    next.remember(bench.state.remembered)
    #expect(next.state.window.days == 31)
    bench.press(":", "window 2025-02", "enter")
    next = Bench()
    next.remember(bench.state.remembered)
    #expect(next.state.window.days == 28, "a particular month is not remembered")
    bench.press(":", "window month", "enter")
    #expect(bench.screen.contains("to the same day"))
    bench.press(":", "window 7", "enter")
    #expect(!bench.screen.contains("to the same day"), "the message is of another window")
  }

  @Test("asks anew where it learns only later how much is known")
  func lateHistory() {
    var bench = Bench()
    bench.answers = false
    var before = Bench.opened()
    before.press("w", "w", "w")
    bench.remember(before.state.remembered)
    bench.send(.opened)
    #expect(bench.state.window.days == 3650)
    bench.answers = true
    bench.press("R")
    bench.wait(1000)
    #expect(bench.state.window.days == 901 && bench.lastQuestion?.window.days == 901)
  }

  @Test("shows times in each zone in turn, and takes the zone over")
  func zones() {
    var bench = Bench.opened(120, 40)
    bench.press("E")
    #expect(bench.screen.contains("2026-11-21 09:05 UTC"))
    bench.press("z")
    #expect(bench.screen.contains("2026-11-21 18:05 JST"))
    #expect(bench.screen.contains("2026-11-21 18:01"), "rows too")
    var next = Bench(120, 40)
    next.remember(bench.state.remembered)
    next.send(.opened)
    #expect(next.screen.contains("JST"))
    bench.press(":", "zone UTC", "enter")
    #expect(bench.screen.contains("2026-11-21 09:05 UTC"))
    bench.press(":", "zone Mars", "enter")
    #expect(bench.screen.contains("zone needs one of UTC, Asia/Tokyo"))
  }

  @Test("says in the header what the screen is limited to, at any width", arguments: [40, 80])
  func narrowed(_ columns: Int) {
    var bench = Bench.opened(columns, 24)
    bench.show(.cohorts)
    bench.press("P", "/", "FRIEND", "enter", "enter")
    #expect(bench.screen.contains("only offer code FR"))
    if columns == 80 { Golden.expect(bench.canvas, "narrowed") }
  }

  @Test("narrows cohorts to a storefront, an offer and a product, and says so at the head")
  func narrowing() {
    var bench = Bench.opened(120, 40)
    bench.show(.cohorts)
    bench.press("P", "/", "DEU", "enter", "enter")
    #expect(
      bench.lastQuestion?.storefronts == .only(StorefrontCode("DEU")) && bench.screen.contains("only DEU"))
    bench.press("P", "/", "^U", "FRIEND", "enter", "enter")
    #expect(bench.lastQuestion?.offers == .offer(.code, "FRIEND"))
    #expect(bench.lastQuestion?.storefronts == .only(StorefrontCode("DEU")), "one beside the other")
    #expect(bench.screen.contains("only DEU, offer code FRIEND"))
    bench.press("enter")
    #expect(bench.lastRows?.question.offers == .offer(.code, "FRIEND"), "so are the rows behind a cell")
    bench.press("esc")
    // Churn is not narrowed by storefront or offer.
    bench.press("6")
    #expect(bench.lastQuestion?.storefronts == .all && bench.lastQuestion?.offers == .all)
    #expect(!bench.screen.contains("only DEU"))
    bench.press("esc", "7")
    #expect(bench.screen.contains("only DEU, offer code FRIEND"), "what is not shown is not taken away")
    bench.press("esc")
    #expect(bench.lastQuestion?.storefronts == .all && bench.lastQuestion?.offers == .all)
    #expect(!bench.screen.contains("only"))
    bench.press("[")
    #expect(bench.screen.contains("only DEU, offer code FRIEND"))
    bench.press("]", ":", "offer intro", "enter")
    #expect(bench.lastQuestion?.offers == .kind(.intro) && bench.screen.contains("only introductory price"))
    bench.press(":", "storefront unknown", "enter")
    #expect(bench.lastQuestion?.storefronts == .only(nil))
  }

  @Test(
    "takes a theme of the configuration that changed since another was chosen", arguments: ["plain", "other"])
  func themes(_ configured: String) throws {
    var bench = Bench.opened()
    bench.press("T")
    #expect(bench.state.theme == "other")
    let kept = String(decoding: try JSONEncoder().encode(bench.state.remembered), as: UTF8.self)
    let then = kept.replacing("\"standardTheme\":\"plain\"", with: "\"standardTheme\":\"\(configured)\"")
    var next = Bench()
    next.remember(try JSONDecoder().decode(Remembered.self, from: Data(then.utf8)))
    #expect(next.state.theme == (configured == "plain" ? "other" : "plain"))
  }

  @Test("shows one product alone, chosen from all")
  func products() {
    var bench = Bench.opened()
    bench.press("P", "/", "yearly", "enter", "j", "enter")
    #expect(bench.state.product == Sample.yearly)
    #expect(bench.state.context == .panel)
    bench.press("P")
    #expect(bench.selectedLine?.contains("yearly") == true)
    bench.press("esc", "g", "enter")
    #expect(bench.state.product == nil)
    var early = Bench()
    early.answers = false
    early.send(.opened)
    early.press("P")
    #expect(early.screen.contains("No product is known yet"))
  }

  @Test("takes back what was said of a product that is no longer alone")
  func toast() {
    var bench = Bench.opened()
    bench.press("3", "G", "enter")
    #expect(bench.screen.contains("Esc shows all products"))
    bench.press("esc")
    #expect(!bench.screen.contains("all products"))
    #expect(bench.screen.contains("? keys"))
  }

  @Test("takes the light theme on a light background, unless one was chosen")
  func background() {
    var bench = Bench.opened()
    #expect(bench.send(.background(isLight: false)).isEmpty)
    #expect(bench.send(.background(isLight: true)) == [.setTheme("light")])
    #expect(bench.state.theme == "light")
    var next = Bench()
    next.remember(bench.state.remembered)
    #expect(next.state.theme == "plain", "it is not remembered")
    bench.press("T", "T")
    #expect(bench.send(.background(isLight: true)).isEmpty)
    next.remember(bench.state.remembered)
    #expect(next.state.theme == bench.state.theme && next.send(.background(isLight: true)).isEmpty)
  }

  @Test("shows a chain field by field, then as JSON, and copies it")
  func json() {
    var bench = Bench.opened()
    bench.press("f", "310000831360853", "enter", "J")
    #expect(bench.state.context == .evidence && bench.screen.contains("original_transaction_id"))
    bench.press("y")
    #expect(bench.effects.last == .copy("310000831360853", what: "310000831360853"))
    bench.press("J")
    #expect(bench.screen.contains("\"original_transaction_id\""))
    bench.press("y")
    #expect(bench.lastCopy?.hasPrefix("{") == true)
    bench.press("esc")
    #expect(bench.state.context == .evidence)
    bench.answers = false
    bench.press("J")
    bench.send(
      .failed("The subscription history could not be put into JSON: no room.", serial: bench.lastEncoded))
    #expect(bench.state.context == .evidence)
    #expect(bench.screen.contains("no room"))
    bench.press("esc")
    #expect(bench.state.context == .chain)
  }

  @Test("filters and writes the fields of a chain from its own screen")
  func fields() throws {
    var bench = Bench.opened(120, 40)
    bench.press("f", "310000831360853", "enter", "/", "expires_ms", "enter")
    #expect(bench.state.context == .evidence)
    let rows = bench.state.tableExport?.rows ?? []
    #expect(!rows.isEmpty && rows.allSatisfy { $0[1] == "expires_ms" && $0[3].contains(":") })
    let dates = rows.filter { $0[0].hasPrefix("transaction") }.map { $0[3] }
    #expect(dates == dates.sorted(by: >) && !dates.isEmpty, "newest first, as in Apple's answers")
    bench.press("esc", "esc", "^s", "^U", "/tmp/fields.csv", "enter")
    let table = try #require(bench.lastExport)
    #expect(table.columns == ["of", "field", "value", "reads_as"] && table.rows.count > rows.count)
  }

  @Test("names every field of a chain as its JSON does")
  func fieldNames() throws {
    let names = try Sample.fieldNames(of: Sample.story)
    var bench = Bench.opened(120, 40)
    bench.press("f", "story", "enter", "J")
    let rows = bench.state.tableExport?.rows ?? []
    #expect(Set(rows.map { $0[0].prefix { $0 != " " } }).isSuperset(of: ["renewal", "notification"]))
    for row in rows {
      let others = row[1].split(separator: ".").filter { Int($0) == nil && !names.contains(String($0)) }
      #expect(others.isEmpty, "\(row)")
    }
  }

  @Test("copies five plain lines of a chain for a ticket, ids in full")
  func ticket() throws {
    var bench = Bench.opened()
    bench.press("f", "310000831360853", "enter", "Y")
    let lines = try #require(bench.lastCopy).split(separator: "\n").map(String.init)
    #expect(
      lines.map { String($0.prefix { $0 != ":" }) } == [
        "Customer", "Subscription", "Time", "Last event", "Conclusion",
      ])
    let chain = Sample.chain
    #expect(lines[0].contains(chain.originalTransactionId.rawValue))
    #expect(chain.appUserIds.allSatisfy { lines[0].contains($0.rawValue) })
    #expect(lines[1].contains(chain.lines[0].productId.rawValue))
    #expect(lines[2].contains("since ") && lines[2].contains("access until "))
    #expect(lines[4].contains("Why: "))
  }
}
