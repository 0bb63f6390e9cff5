import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("Keys") struct KeyTests {
  static let scenes = Scene.all.filter {
    [
      "overview", "billing-retry", "events", "movement", "cohorts", "sweeps", "rows", "filtered", "compared",
      "found", "chain", "fields", "json", "products", "help",
    ].contains($0.name)
  }

  @Test("do what their entry says, on every screen", arguments: scenes)
  func everyBinding(_ scene: Scene) {
    let opened = scene.bench(.usual)
    let before = opened.state
    for binding in KeyMap.standard.bindings {
      for key in binding.keys {
        var bench = opened
        bench.answers = false
        let wanted = bench.send(.input(.key(key)))
        #expect(bench.canvas.size == .usual)
        if binding.contexts.contains(before.context) {
          if key == .control("c") {
            #expect(wanted.isEmpty && bench.screen.contains("Press ^C again to quit."))
          } else {
            Self.check(binding.command, before, bench.state, wanted)
          }
        } else if KeyMap.standard.command(for: key, in: before.context, readOnly: false) == nil {
          #expect(wanted.isEmpty, "\(key.name): \(binding.title)")
          #expect(
            bench.screen.contains("\(key.name) only works on "),
            "\(binding.title): \(bench.screen)"
          )
        }
      }
    }
  }

  private static func check(_ command: Command, _ before: State, _ after: State, _ wanted: [Effect]) {
    switch command {
    case .show(let tab):
      #expect(after.tab == tab)
      let own: [Tab: KeyContext] = [
        .sweep: .sweep, .reconcile: .reconcile, .panel(.cohorts): .cohorts, .panel(.movement): .movement,
      ]
      #expect(after.context == own[tab] ?? .panel)
    case .nextPanel, .previousPanel: #expect(after.tab != before.tab)
    case .find, .palette: #expect(after.prompt != nil)
    case .filter where before.context == .chain, .export where before.context == .chain:
      #expect(after.prompt != nil && after.context == .evidence)
    case .filter, .export: #expect((after.prompt != nil) == (before.tableExport != nil))
    case .howTo: #expect(wanted.isEmpty && after.context == .products)
    case .copyTicket: #expect(wanted.count == 1)
    case .copy, .copyRow: #expect(wanted.count <= 1)
    case .sortLeft, .sortRight, .reverseSort:
      #expect((after.arrangement == before.arrangement) == (before.tableExport == nil))
    case .nextMatch, .previousMatch: #expect(wanted.isEmpty)
    case .toggleMouse: #expect(wanted == [.setMouse(false)])
    case .nextTheme: #expect(wanted == [.setTheme("other")])
    case .findID, .findOffer, .figure, .receipts, .filterBy, .sortBy, .window, .environment, .product,
      .exportTo, .theme, .zone,
      .hide, .unhide, .compareWith:
      Issue.record("\(command) wants a word, which no key gives")
    case .sweepDue: #expect(wanted == [.startSweep(.due)])
    case .sweepAll:
      #expect(wanted.count == 1 && wanted.first?.isCount(of: .selection(.all)) == true, "it is asked about")
    case .sweepList:
      #expect(!wanted.contains { if case .startSweep = $0 { true } else { false } }, "it is asked about")
    case .sweepDead: #expect(wanted == [.startSweep(.dead)])
    case .sweepChain:
      #expect(wanted.count == 1)
      #expect(after.sweep.isActive)
    case .pauseOrResume, .stopSweep: #expect(wanted.isEmpty, "no sweep runs")
    case .earlierView, .laterView:
      #expect(wanted.isEmpty || after.context != before.context || after.tab != before.tab)
    case .freeze: #expect(wanted.isEmpty, "the screen stands still")
    case .messages: #expect(after.context == .messages)
    case .own: Issue.record("there are no user-defined commands")
    case .quit: #expect(wanted == [.quit])
    case .suspend: #expect(wanted == [.suspend])
    case .redraw: #expect(wanted == [.redraw])
    case .leave:
      let isTab = [.panel, .cohorts, .movement, .sweep].contains(before.context)
      #expect(!wanted.contains(.quit) && after.tab == (isTab ? .panel(.overview) : before.tab))
    case .storefront, .offer: Issue.record("what is narrowed to is typed or chosen")
    case .nextWindow: #expect(after.window.days != before.window.days)
    case .nextEnvironment: #expect(after.environment != before.environment)
    case .nextSplit, .nextStretch: #expect(after.tab == .panel(.movement) ? !wanted.isEmpty : wanted.isEmpty)
    case .nextZone: #expect(after.zone != before.zone && (before.context == .json || !wanted.isEmpty))
    case .pickProduct, .alerts: #expect(after.context == .products)
    case .compare:
      #expect((after.context == .products) == (before.tab != .panel(.events)), "events are no figures")
    case .boxes: #expect(wanted.isEmpty && after.context == .products)
    case .moveBox, .hideBox: #expect(wanted.isEmpty && after.context == before.context)
    case .numbers, .nextMeasure: #expect(wanted.isEmpty && after.tab == before.tab)
    case .json where [.chain, .chains].contains(before.context):
      #expect(wanted.isEmpty && after.context == .evidence)
    case .json:
      #expect(wanted.count == 1)
      #expect(after.context == .evidence, "until it is put into JSON")
    case .reload:
      #expect(
        wanted.count == (before.tab == .reconcile ? 2 : 3), "figures, health of the store, Apple's reports")
    case .help: #expect((after.context == .help) != (before.context == .help))
    case .goToBox: #expect(wanted.isEmpty && after.tab == before.tab)
    case .moveAside: #expect(after.tab != before.tab || wanted.isEmpty)
    case .nextFigure, .previousFigure: #expect(after.context == before.context)
    case .open, .move, .back, .mark, .unmark: #expect(!wanted.contains(.quit))
    }
  }

  @Test("are in the footer where there is room", arguments: [("4", "t mark"), ("W", "S all")])
  func footer(_ tab: String, _ hint: String) {
    var bench = Bench.opened(120, 40)
    bench.press(tab)
    #expect(bench.canvas.text().last?.contains(hint) == true, "\(bench.screen)")
  }

  @Test("check and show the fields of a selected search result")
  func results() {
    var bench = Bench.opened()
    bench.press("f", "user-4821", "enter", "J")
    #expect(bench.state.context == .evidence)
    bench.press("esc", "v")
    #expect(bench.sweeping == [.startSweep(.chain(Sample.chain.originalTransactionId))], "\(bench.screen)")
  }

  @Test("have one meaning each on a screen", arguments: KeyContext.allCases)
  func unambiguous(_ context: KeyContext) {
    let keys = KeyMap.standard.bindings.filter { $0.contexts.contains(context) }.flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
  }

  @Test("are found and run in help, on the screen that one came from")
  func help() {
    var bench = Bench.opened(100, 30)
    bench.press("4", "?", "/", "days", "enter")
    #expect(bench.screen.contains("changes the window: days, all or a month"))
    #expect(!bench.screen.contains("quits"))
    bench.press("/", "^U", "command:next-window", "enter", "enter")
    #expect(bench.state.context == .panel && bench.state.window.days == 90)
    bench.press("?")
    #expect(bench.screen.contains("command:next-window"))
    bench.press("/", "^U", "with Apple", "enter", "enter")
    #expect(bench.state.context == .panel && bench.screen.contains("only works on"))
  }

  @Test("are complete in help, with their commands, from 80 columns on", arguments: [80, 160])
  func inFull(_ columns: Int) {
    var bench = Bench.opened(columns, 160)
    bench.show(.billingRetry)
    bench.press("?")
    let lines = bench.canvas.text()
    for binding in KeyMap.standard.bindings {
      let keys = binding.keys.map(\.name).joined(separator: " ")
      let line = lines.first {
        $0.contains("  \(binding.title)  ") && $0.contains(" :\(binding.name) ")
      }
      #expect(line?.contains(columns > 80 ? " \(keys) " : "") == true, "\(binding.title)")
    }
  }

  @Test("go through the palette by pages, and to its ends")
  func palettePages() {
    var bench = Bench.opened()
    let all = Palette(state: bench.state).completions(of: "").map(\.line)
    let last = all.count - 1
    bench.press(":")
    for (key, place) in [("pgdn", 9), ("pgdn", 19), ("pgup", 9), ("pgup", 0), ("pgup", 0)] {
      bench.press(key)
      #expect(bench.state.prompt?.text == all[place], "\(key)")
    }
    for _ in 0...(all.count / 10) { bench.press("pgdn") }
    #expect(bench.state.prompt?.text == all[last])
    #expect(bench.screen.contains("\(last - 8)\u{2013}\(all.count) of \(all.count)"), "\(bench.screen)")
    bench.press("tab")
    #expect(bench.state.prompt?.text == all[0], "round and round")
    bench.press("esc", ":", "window 90", "enter", ":", "up", "tab")
    #expect(bench.state.prompt?.text == "window 90", "what was recalled is what is completed")
  }

  @Test("are bound as configured, and taken from other commands")
  func rebinding() throws {
    let keys = try KeyMap.standard.rebinding(["find": [.function(3), .character("x")], "sweep-all": []])
    var bench = Bench(keys: keys)
    bench.send(.opened)
    let count = bench.effects.count
    bench.press("S")
    #expect(bench.effects.count == count && bench.state.prompt == nil)
    bench.press("f")
    #expect(bench.state.prompt == nil)
    bench.press("x")
    #expect(bench.state.prompt?.label == "find: ")
    bench.press("esc", "?", "/", "command:find", "enter")
    #expect(bench.screen.contains("F3 x"))
    for context in KeyContext.allCases {
      let all = keys.bindings.filter { $0.contexts.contains(context) }.flatMap(\.keys)
      #expect(Set(all).count == all.count)
    }
    #expect(throws: CommandError.self) { try KeyMap.standard.rebinding(["fly": []]) }
    let needed = "must have a key; give it one in the configuration"
    #expect(throws: CommandError("the command quit \(needed)")) {
      try KeyMap.standard.rebinding(["quit": []])
    }
    #expect(throws: CommandError("the command keys \(needed)")) {
      try KeyMap.standard.rebinding(["find": [.character("?"), .function(1)]])
    }
  }

  @Test("are named so that their names are read again")
  func names() {
    for key in KeyMap.standard.bindings.flatMap(\.keys) {
      #expect(Key(named: key.name) == key, "\(key.name)")
    }
    #expect(
      Key(named: "F99") == nil && Key(named: "^^") == nil && Key(named: "") == nil && Key(named: "ab") == nil)
  }

  @Test("that change something are gone under --readonly", arguments: ["s", "S", "L", "p", "x", "v", "D"])
  func readOnly(_ key: String) {
    var bench = Bench.opened(isReadOnly: true)
    let before = bench.effects.count
    bench.press(key)
    #expect(bench.effects.count == before)
    #expect(bench.screen.contains("Read-only"))
    #expect(!KeyMap.standard.bindings(readOnly: true).contains { $0.command.changesSomething })
    bench.wait(9000)
    bench.press("?")
    #expect(!bench.screen.contains("sweeps"))
    #expect(!bench.screen.contains("s sweep"))
  }

  @Test("lead through the panels and round")
  func panels() {
    var bench = Bench.opened()
    bench.press("tab", "tab")
    #expect(bench.state.panel == .active)
    bench.press("s-tab", "s-tab", "s-tab")
    #expect(bench.state.tab == .sweep)
    bench.press("s-tab", "s-tab")
    #expect(bench.state.panel == .events)
    bench.press("tab", "tab", "tab")
    #expect(bench.state.panel == .overview)
  }

  @Test("open a chain and lead back, and only q at the top quits, asked twice")
  func inAndOut() {
    var bench = Bench.opened()
    bench.press("4", "j", "enter")
    #expect(bench.effects.last == .find(id: "310000812347888", at: Sample.now, serial: 5))
    #expect(bench.screen.contains("Verdict"))
    bench.press("?")
    #expect(bench.state.context == .help)
    bench.press("esc")
    #expect(bench.state.context == .chain)
    bench.press("q")
    #expect(bench.state.context == .panel)
    bench.press("esc", "esc", "esc")
    bench.press("q")
    #expect(bench.state.panel == .overview, "to the first tab")
    for key in ["q", "^C"] {
      bench.press(key)
      #expect(
        bench.screen.contains("Press \(key.uppercased() == key ? key : "q") again to quit."),
        "\(bench.screen)")
      bench.press("j", key, "esc", key)
      bench.wait(9000)
      #expect(!bench.screen.contains("again to quit"))
    }
    #expect(!bench.effects.contains(.quit))
    #expect(bench.press("q", "q") == [.quit])
  }

  @Test("ask before a demonstration ends, and every other key stays", arguments: ["q", "^C", "y", "enter"])
  func temporary(_ answer: String) {
    var bench = Bench(isTemporary: true)
    bench.send(.opened)
    let key = answer == "^C" ? "^C" : "q"
    bench.press(key)
    #expect(bench.screen.contains("Quit?") && bench.screen.contains("is deleted when the dashboard quits"))
    #expect(bench.press("6").isEmpty && bench.state.panel == .overview && !bench.screen.contains("Quit?"))
    bench.press(key)
    bench.wait(60_000)
    #expect(bench.press(answer) == [.quit])
  }

  @Test("move between boxes from anywhere, and name what works in the footer")
  func boxes() {
    var bench = Bench.opened()
    bench.press("6")
    for (key, line) in [
      ("^up", "Paid or in retry"), ("^left", "44 paid"), ("^down", "Trials ended"), ("^down", "Trials ended"),
      ("^right", "1 week"), ("^right", "1 week"), ("^left", "Trials ended"), ("^left", "Paid or in retry"),
    ] {
      bench.press(key)
      #expect(bench.selectedLine?.contains(line) == true, "\(key): \(bench.selectedLine ?? "")")
    }
    for (key, hint) in [("4", "L sweep list"), ("6", "/ filter"), ("W", "/ filter"), ("?", "/ filter")] {
      bench.press(key)
      #expect(bench.canvas.text().last?.contains(hint) == true, "\(key)")
    }
  }

  @Test("come with what the sign before rows that are not as they were means")
  func changedRows() {
    var bench = Bench.opened(120, 40)
    bench.press("4", "?", "/", "what:\"before a row\"", "enter")
    #expect(bench.screen.contains("before a row: new, or just changed"), "\(bench.screen)")
    #expect(bench.screen.contains(", 1 match"), "\(bench.screen)")
  }

  @Test("find chains: of several one is chosen, and nothing typed finds nothing")
  func find() {
    var bench = Bench.opened()
    bench.press("f", "  310000831360853 ", "enter")
    #expect(bench.state.context == .chain)
    bench.press("q", "f", "user-4821", "enter")
    #expect(bench.state.context == .chains)
    bench.press("j", "enter")
    #expect(bench.screen.contains("history   2000000417"))
    bench.press("q", "q")
    let last = bench.lastSearch?.serial
    bench.press("f", "enter", "f", "abc", "esc")
    #expect(bench.state.prompt == nil && bench.lastSearch?.serial == last)
  }

  @Test("type into the prompt, save those that quit")
  func prompt() {
    var bench = Bench.opened()
    bench.press("f", "Sq7?")
    #expect(bench.state.prompt?.text == "Sq7?")
    #expect(bench.state.panel == .overview)
    #expect(bench.press("^C", "^C") == [.quit])
  }

  @Test("go through the environments")
  func cycles() {
    var bench = Bench.opened()
    var seen: [EnvironmentScope] = []
    for _ in 0..<3 {
      bench.press("e")
      seen.append(bench.state.environment)
    }
    #expect(seen == [.sandbox, .all, .production])
  }

  @Test("work by the mouse as well")
  func mouse() {
    var bench = Bench.opened()
    bench.send(.input(.mouse(Mouse(.left, at: Point(column: 23, row: 2)))))
    #expect(bench.state.panel == .billingRetry)
    bench.send(.input(.mouse(Mouse(.left, at: Point(column: 10, row: 13)))))
    #expect(bench.selectedLine?.contains("310000812355659") == true)
    bench.send(.input(.mouse(Mouse(.wheelDown, at: Point(column: 10, row: 13)))))
    #expect(bench.selectedLine?.contains("310000812378972") == true)
    bench.send(.input(.mouse(Mouse(.left, at: Point(column: 10, row: 16)))))
    #expect(bench.state.context == .chain)
  }
}

extension Effect {
  func isCount(of request: SweepRequest) -> Bool {
    if case .countSweep(request, _, _) = self { true } else { false }
  }
}
