import Dashboard
import FoundationEssentials
import Screen
import Subscriptions
import Testing

@Suite("The palette") struct PaletteTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let line: String
    let command: Command?
    var problem = ""
    var testDescription: String { line }
  }

  @Test(
    "knows commands by their names",
    arguments: [
      Case(line: "billing-retry", command: .show(.panel(.billingRetry))), Case(line: "quit", command: .quit),
      Case(line: "q", command: .quit), Case(line: "window 90", command: .window(.days(90))),
      Case(line: "window 30d", command: .window(.days(30))),
      Case(line: "window 2026-10", command: WindowChoice(parsing: "2026-10").map(Command.window)),
      Case(line: "window 2026-12", command: nil, problem: "2026-12 has not begun"),
      Case(line: "window last-q", command: .window(.last(.quarter))),
      Case(line: "window soon", command: nil, problem: "\"soon\" is not a window; type 1 to 36,500 days"),
      Case(line: "window 0", command: nil, problem: "\"0\" is not a window; type 1 to 36,500 days"),
      Case(line: "window 99999", command: nil, problem: "\"99999\" is not a window; type 1 to 36,500 days"),
      Case(line: "window", command: nil, problem: "window needs a number of days"),
      Case(
        line: "hide Prodct", command: nil,
        problem: "there is no column Prodct to hide; columns: app_user, product, expired, days, left"),
      Case(line: "hide", command: nil, problem: "hide needs a column"),
      Case(line: "unhide days", command: nil, problem: "no column is hidden"),
      Case(line: "product xyz", command: nil, problem: "there is no product xyz; known products: "),
      Case(line: "figure churn nosuch", command: nil, problem: "Churn has no figure nosuch"),
      Case(line: "wind", command: nil, problem: "window needs a number of days"),
      Case(line: "environment sandbox", command: .environment(.sandbox)),
      Case(line: "environment mars", command: nil, problem: "environment needs production, sandbox or all"),
      Case(line: "product com.example.pro.weekly", command: .product(Sample.weekly)),
      Case(line: "product all", command: .product(nil)), Case(line: "find", command: .find),
      Case(line: "find user-4821", command: .findID("user-4821")),
      Case(line: "sort days desc", command: .sortBy("days", isDescending: true)),
      Case(line: "sort", command: .sortBy("", isDescending: false)),
      Case(line: "sort a b c", command: nil, problem: "sort needs a column"),
      Case(line: "filter days>10 !trial", command: .filterBy("days>10 !trial")),
      Case(line: "export ~/x.csv", command: .exportTo("~/x.csv")), Case(line: "export", command: .export),
      Case(line: "theme other", command: .theme("other")),
      Case(line: "theme mars", command: nil, problem: "theme needs one of plain, other"),
      Case(line: "sweep-al", command: .sweepAll), Case(line: "fly", command: nil, problem: "no command fly"),
    ])
  func lines(_ one: Case) {
    var bench = Bench.opened(120, 40)
    bench.press("4")
    do throws(CommandError) {
      #expect(try Palette(state: bench.state).command(one.line) == one.command)
    } catch {
      #expect(one.command == nil && error.sentence.contains(one.problem), "\(error.sentence)")
    }
  }

  @Test("gives every binding a name of its own")
  func names() {
    let names = KeyMap.standard.bindings.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { !$0.isEmpty && !$0.contains(" ") })
  }

  @Test("completes with Tab, remembers with Up, and says what is wrong")
  func typing() {
    var bench = Bench.opened(120, 40)
    bench.press(":", "windo", "tab")
    #expect(bench.state.prompt?.text == "window ")
    bench.press("tab")
    bench.press("^U", "window ")
    #expect(bench.screen.contains("window 365"))
    bench.press("tab", "tab")
    #expect(bench.state.prompt?.text == "window 90")
    bench.press("s-tab", "enter")
    #expect(bench.state.window.days == 28 && bench.state.prompt == nil)
    bench.press(":", "events", "enter")
    #expect(bench.state.panel == .events)
    bench.press(":", "up", "up", "up")
    #expect(bench.state.prompt?.text == "window 28")
    bench.press("down")
    #expect(bench.state.prompt?.text == "events")
    bench.press("down")
    #expect(bench.state.prompt?.text == "")
    bench.press("fly", "down")
    #expect(bench.state.prompt?.text == "fly")
    bench.press("up", "down")
    #expect(bench.state.prompt?.text == "fly")
    bench.press("enter")
    #expect(bench.screen.contains("there is no command fly") && bench.state.prompt != nil)
    bench.press("esc")
    #expect(bench.state.prompt == nil && bench.state.panel == .events)
  }
}

@Suite("Taking it elsewhere") struct TakingTests {
  @Test(
    "copies the id of what stands out",
    arguments: [
      (["4", "j", "y"], "310000812347888"), (["3", "y"], Sample.weekly.rawValue),
      (["f", "310000831360853", "enter", "y"], "310000831360853"),
      (["4", "g", "g", "y"], nil),
    ] as [([String], String?)])
  func copy(_ keys: [String], _ text: String?) {
    var bench = Bench.opened(120, 40)
    for key in keys { bench.press(key) }
    #expect(bench.lastCopy == text)
    guard text == nil else { return }
    #expect(bench.screen.contains("nothing to copy"))
  }

  @Test("proposes a name that no export of the session has, also while the screen is frozen")
  func freeName() {
    var bench = Bench.opened(120, 40)
    bench.press("4", "F", "^S")
    let first = bench.state.prompt?.text ?? ""
    bench.press("enter", "^S")
    let second = bench.state.prompt?.text ?? ""
    #expect(second == first.replacing(".csv", with: "-2.csv"))
    bench.press(" --meta", "enter", "^S")
    #expect(bench.state.prompt?.text == first.replacing(".csv", with: "-3.csv"))
    bench.press("esc", "^S")
    #expect(bench.state.prompt?.text == first.replacing(".csv", with: "-3.csv"), "nothing was written")
  }

  @Test("copies a row, its cells parted by tabs")
  func row() throws {
    var bench = Bench.opened(120, 40)
    bench.press("4", "j", "Y")
    let text = try #require(bench.lastCopy)
    #expect(text.split(separator: "\t", omittingEmptySubsequences: false).count == 7)
    #expect(text.hasPrefix("310000812347888\t"))
  }

  @Test("writes the list as it shows, with what it is of in its head")
  func export() {
    var bench = Bench.opened(120, 40)
    bench.press("4", "/", "days>10", "enter", ">", "r", "^S")
    #expect(bench.state.prompt?.text.hasPrefix("subtop-billing-retry-2026-11-21T") == true)
    bench.press("^U", "/tmp/list.json", "enter")
    guard case .export(let table, "/tmp/list.json")? = bench.effects.last else {
      Issue.record("Nothing was written.")
      return
    }
    let notes = Dictionary(uniqueKeysWithValues: table.notes.map { ($0.name, $0.value) })
    #expect(notes["filter"] == "days>10" && notes["sort"] == "chain desc" && notes["window"] == "28 d")
    #expect(notes["as_of"] == "2026-11-21 09:05 UTC" && notes["definition"]?.isEmpty == false)
    #expect(table.columns == ["chain", "app_user", "product", "expired", "days", "left", "mrr"])
    #expect(table.rows.map { $0[0] } == table.rows.map { $0[0] }.sorted(by: >))
    #expect(!table.rows.isEmpty && table.rows.count < Sample.billingRetry.unpaid.count && !table.hasMeta)
    guard case .unpaid(let entries) = table.records else { return #expect(Bool(false)) }
    #expect(entries.map(\.originalTransactionId.rawValue) == table.rows.map { $0[0] })
    bench.press("t", "t", ":", "export /tmp/marked.csv --meta", "enter")
    guard case .export(let marked, "/tmp/marked.csv")? = bench.effects.last else {
      Issue.record("Nothing was written.")
      return
    }
    #expect(marked.hasMeta && marked.count == 2)
    let chains = marked.rows.map { $0[0] }
    #expect(marked.records == .unpaid(entries.filter { chains.contains($0.originalTransactionId.rawValue) }))
    bench.send(.noted("Wrote 3 rows to /tmp/list.json.", isBad: false))
    #expect(bench.screen.contains("Wrote 3 rows"))
  }
}

@Suite("What is remembered") struct RememberedTests {
  @Test("where one was and how one saw lists, through JSON and back")
  func roundTrip() throws {
    var bench = Bench.opened(120, 40)
    bench.press(
      "4", "/", "days>10", "enter", ">", "r", "E", ">", "w", ":", "window 30", "enter", "?", "/", "quit",
      "enter", "esc")
    bench.press("B", "j", "-", "}", "esc", "e", "3", "j", "enter", "4", "T")
    let json = try JSONEncoder().encode(bench.state.remembered)
    var fresh = Bench(120, 40)
    fresh.remember(try JSONDecoder().decode(Remembered.self, from: json))
    fresh.send(.opened)
    #expect(fresh.state.panel == .billingRetry && fresh.state.window.days == 30)
    #expect(fresh.state.arrangement == bench.state.arrangement && !fresh.state.arrangement.isEmpty)
    #expect(fresh.state.theme == "other")
    #expect(fresh.screen.contains("/days>10") && fresh.screen.contains("by chain, descending"))
    #expect(fresh.state.environment == .production && fresh.state.product == nil)
    #expect(fresh.state.remembered == bench.state.remembered)
    fresh.press(":", "up")
    #expect(fresh.state.prompt?.text == "window 30")
  }

  @Test(
    "a pasted secret is neither said nor kept",
    arguments: [
      [":", "find \(secret)", "enter"], [":", "\(secret)", "enter"], ["4", "/", "\(secret)", "enter"],
      ["4", "/", "\(secret)", "enter", "esc", "n"],
    ])
  func pastedSecret(_ keys: [String]) throws {
    var bench = Bench.opened(120, 40)
    bench.chains = { _ in [] }
    for key in keys { bench.press(key) }
    let kept = String(decoding: try JSONEncoder().encode(bench.state.remembered), as: UTF8.self)
    #expect(!kept.contains(Self.secret))
    if bench.state.prompt == nil { #expect(!bench.screen.contains(Self.secret)) }
    #expect(bench.screen.contains("(hexadecimal digits, not shown)"))
  }

  private static let secret = "00112233445566778899aabbccddeeff"

  @Test(
    "what is not understood is left out",
    arguments: [
      "{}", #"{"tab": "mars", "windowDays": -5}"#, #"{"boxes": ["mars"], "hiddenBoxes": ["venus"]}"#,
      #"{"arrangements": {"mars": {"filter": "x", "hidden": []}}}"#,
      #"{"arrangements": {"mars": {"sort": "x", "colour": 1}}}"#,
      #"{"arrangements": {"billing-retry": {"filter": "nosuch:1 days>x"}}}"#,
    ])
  func nonsense(_ json: String) throws {
    var bench = Bench(120, 40)
    bench.remember(try JSONDecoder().decode(Remembered.self, from: Data(json.utf8)))
    bench.send(.opened)
    let plain = Bench.opened(120, 40)
    #expect(bench.screen == plain.screen)
    bench.press("4")
    #expect(bench.state.tableExport?.rows.count == Sample.billingRetry.unpaid.count)
  }
}
