import Testing

@Suite("A tour of the dashboard", .enabled(if: Tmux.isThere, "tmux is not installed"))
struct TourTests {
  /// What only this panel shows.
  private static let panels = [
    ("1", "Churn in"), ("2", "Lost: cancelled"), ("3", "Auto-renew"), ("4", "In billing retry"),
    ("6", "by reason"), ("9", "Refund rate"), ("0", "Replaced periods"), ("E", "events in"),
    ("W", "Apple's answers"),
  ]
  /// In the order of the tabs.
  private static let keys = Array("1234567890EW").map(String.init)

  @Test(.tags(.long)) func throughTheDemo() async throws {
    let visit = try await Visit(Subtop(), ["demo", "--subscribers", "300", "--seed", "1"])
    let tmux = visit.tmux
    try await tmux.wait(for: "Subscribers in")
    try await tmux.wait(for: "demo, 10 min/s")
    try await panels(tmux)
    try await help(tmux)
    try await chain(tmux)
    try await sizes(tmux)
    try await tmux.press("q")
    try await visit.isOver(0)
    #expect(
      !File.names(in: visit.subtop.home.path).contains { $0.hasPrefix("subtop-demo") }, "the demo cleans up")
  }

  @Test func whatOthersCommitIsSeen() async throws {
    let subtop = try Subtop()
    _ = try await subtop.run(
      "import", "catalog", try subtop.file("prices", CatalogText.header + CatalogText.price("gold")))
    let visit = try await Visit(subtop, ["--environment", "all"])
    try await visit.tmux.wait(for: "The store holds no receipts")
    _ = try await subtop.run("import", "responses", try subtop.file("answer", AnswerText().text))
    try await visit.tmux.wait(for: "1 subscription not confirmed yet")
    try await visit.tmux.press("q")
    try await visit.isOver(0)
  }

  private func panels(_ tmux: Tmux) async throws {
    for (key, text) in Self.panels + Self.panels.prefix(1) {
      try await tmux.press(key)
      try await tmux.wait(for: text)
    }
    for key in Self.keys.dropFirst() + Self.keys.prefix(1) {
      try await tmux.press("Tab")
      guard let text = Self.panels.first(where: { $0.0 == key })?.1 else { continue }
      try await tmux.wait(for: text)
    }
    try await tmux.press("BTab")
    try await tmux.wait(for: Self.panels[8].1)
  }

  private func help(_ tmux: Tmux) async throws {
    try await tmux.press("?")
    try await tmux.wait(for: "next panel")
    try await tmux.press("End")
    try await tmux.wait(for: "suspends to the shell")
    try await tmux.press("Escape")
    try await tmux.wait("the keys go") { !$0.contains("suspends to the shell") }
  }

  /// Opens a figure's rows and the first row's chain, then finds the same chain by its id.
  private func chain(_ tmux: Tmux) async throws {
    try await tmux.press("4")
    try await tmux.wait(for: "In billing retry")
    try await tmux.press("g")
    try await tmux.press("g")
    try await tmux.press("Enter")
    try await tmux.wait("the figure's rows open") { $0.contains("in billing retry, expired") }
    try await tmux.press("Escape")
    try await tmux.wait("the panel is back") { !$0.contains("in billing retry, expired") }
    try await tmux.press("End")
    try await tmux.press("g")
    try await tmux.press("Enter")
    let opened = try await tmux.wait("a chain opens") {
      $0.contains("Verdict") && Self.chainID(in: $0) != nil
    }
    let id = try #require(Self.chainID(in: opened))
    #expect(opened.contains("billing retry"))
    try await tmux.press("q")
    try await tmux.wait("the panel is back") { $0.contains("In billing retry") && !$0.contains("Verdict") }
    try await tmux.press("1")
    try await tmux.press("f")
    try await tmux.type(id)
    try await tmux.wait(for: id)
    try await tmux.press("Enter")
    try await tmux.wait("the chain is found") { $0.contains("Verdict") && Self.chainID(in: $0) == id }
    try await tmux.press("Escape")
    try await tmux.wait(for: "Subscribers in")
    try await tmux.press("f")
    try await tmux.type("nobody-4711")
    try await tmux.press("Enter")
    try await tmux.wait("nothing is found, and said so") {
      $0.contains("nobody-4711") && $0.contains("Subscribers in")
    }
  }

  /// The id behind the last “Subscription history ” of a line of crumbs.
  private static func chainID(in screen: String) -> String? {
    guard
      let range = screen.ranges(of: "Subscription history ").last(where: {
        screen[$0.upperBound...].first?.isNumber == true
      }
      )
    else { return nil }
    return String(screen[range.upperBound...].prefix { $0.isNumber })
  }

  private func sizes(_ tmux: Tmux) async throws {
    try await tmux.resize(columns: 40, rows: 10)
    try await tmux.wait("all of it in 40 columns") {
      $0.contains("┌") && $0.split(separator: "\n").count <= 10
    }
    try await tmux.resize(columns: 20, rows: 5)
    try await tmux.wait(for: "Too small: 20x5")
    try await tmux.resize(columns: 1, rows: 1)
    try await tmux.resize(columns: 200, rows: 60)
    try await tmux.wait("all of it in 200 columns") { screen in
      screen.split(separator: "\n").contains { $0.count > 150 } && screen.contains("Subscribers in")
    }
    try await tmux.resize(columns: 80, rows: 24)
    try await tmux.wait("all of it in 80 columns") { screen in
      screen.contains("Subscribers in") && screen.split(separator: "\n").allSatisfy { $0.count <= 80 }
    }
  }

  /// Over a store of its own and the fake App Store as another program.
  @Test func overAStoreWithASweep() async throws {
    let world = try await World.today.value
    let subtop = try await world.small(100)
    let visit = try await Visit(subtop, ["dashboard", "--no-mouse"] + world.appStore.options)
    let tmux = visit.tmux
    try await tmux.wait(for: "Subscribers in")
    try await tmux.press("S")
    try await tmux.wait(for: "100 receipts")
    try await tmux.press("y")
    try await tmux.wait("a sweep of all has run") {
      $0.contains("validated 100") || $0.contains("validated 99")
    }
    try await tmux.press("s")
    try await tmux.wait("a sweep of what is due has run") {
      $0.contains("Sweep idle") && $0.contains("due 0")
    }
    try await tmux.press("q")
    try await visit.isOver(0)
    let status = try await subtop.run("status", "--check", "--format", "json").json
    #expect(status["integrity"]?.text == "ok")
  }

  /// Keys that write are not there under `--readonly`.
  @Test func readOnly() async throws {
    let world = try await World.today.value
    let subtop = try await world.small(10)
    let before = try StoreTables(subtop.store)
    let visit = try await Visit(subtop, ["--readonly"] + world.appStore.options)
    try await visit.tmux.wait(for: "read-only")
    try await visit.tmux.press("S", again: "Read-only")
    try await visit.tmux.resize(columns: 100, rows: 120)
    try await visit.tmux.press("?")
    let help = try await visit.tmux.wait("all keys") {
      $0.contains("next panel") && $0.contains("suspends to the shell")
    }
    #expect(help.contains("finds by a part of any id") && !help.contains("sweeps every receipt"))
    try await visit.tmux.resize(columns: 80, rows: 24)
    try await visit.tmux.press("q")
    try await visit.tmux.press("q")
    try await visit.isOver(0)
    let after = try StoreTables(subtop.store)
    #expect(after == before)
  }
}
