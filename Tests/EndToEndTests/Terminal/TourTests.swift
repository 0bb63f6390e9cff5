import Testing

@Suite("A tour of the dashboard", .enabled(if: Tmux.isThere, "tmux is not installed"))
struct TourTests {
  /// What only this panel shows.
  private static let panels = [
    ("1", "Monthly revenue"), ("2", "Auto-renew"), ("3", "In billing retry"), ("4", "by expiration intent"),
    ("5", "Refund rate"), ("6", "Replaced periods"), ("7", "events in"), ("8", "Apple's answers"),
  ]

  @Test func throughTheDemo() async throws {
    let visit = try await Visit(Subtop(), ["demo", "--subscribers", "300", "--seed", "1"])
    let tmux = visit.tmux
    try await tmux.wait(for: "Monthly revenue")
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
    try await visit.tmux.wait(for: "1 line of 1 receipt")
    try await visit.tmux.press("q")
    try await visit.isOver(0)
  }

  private func panels(_ tmux: Tmux) async throws {
    for (key, text) in Self.panels + Self.panels.reversed() {
      try await tmux.press(key)
      try await tmux.wait(for: text)
    }
    for (_, text) in Self.panels.dropFirst() + Self.panels.prefix(1) {
      try await tmux.press("Tab")
      try await tmux.wait(for: text)
    }
    try await tmux.press("BTab")
    try await tmux.wait(for: Self.panels[7].1)
  }

  private func help(_ tmux: Tmux) async throws {
    try await tmux.press("?")
    try await tmux.wait(for: "next panel")
    try await tmux.press("End")
    try await tmux.wait(for: "to the shell until fg")
    try await tmux.press("Escape")
    try await tmux.wait("the keys go") { !$0.contains("to the shell until fg") }
  }

  /// Opens a figure's rows and the first row's chain, then finds the same chain by its id.
  private func chain(_ tmux: Tmux) async throws {
    try await tmux.press("3")
    try await tmux.wait(for: "In billing retry")
    try await tmux.press("g")
    try await tmux.press("g")
    try await tmux.press("Enter")
    try await tmux.wait("the figure's rows open") { $0.contains("is_in_billing_retry_period = 1") }
    try await tmux.press("Escape")
    try await tmux.wait("the panel is back") { !$0.contains("is_in_billing_retry_period = 1") }
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
    try await tmux.wait(for: "Monthly revenue")
    try await tmux.press("f")
    try await tmux.type("4711")
    try await tmux.press("Enter")
    try await tmux.wait("nothing is found, and said so") {
      $0.contains("4711") && $0.contains("Monthly revenue")
    }
  }

  /// The id behind the last “Chain ” of a line of crumbs.
  private static func chainID(in screen: String) -> String? {
    guard
      let range = screen.ranges(of: "Chain ").last(where: { screen[$0.upperBound...].first?.isNumber == true }
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
      screen.split(separator: "\n").contains { $0.count > 150 } && screen.contains("Monthly revenue")
    }
    try await tmux.resize(columns: 80, rows: 24)
    try await tmux.wait("all of it in 80 columns") { screen in
      screen.contains("Monthly revenue") && screen.split(separator: "\n").allSatisfy { $0.count <= 80 }
    }
  }

  /// Over a store of its own and the fake App Store as another program.
  @Test func overAStoreWithASweep() async throws {
    let world = try await World.today.value
    let subtop = try await world.small(100)
    let visit = try await Visit(subtop, ["dashboard", "--no-mouse"] + world.appStore.options)
    let tmux = visit.tmux
    try await tmux.wait(for: "Monthly revenue")
    try await tmux.press("S")
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
    try await visit.tmux.resize(columns: 100, rows: 70)
    try await visit.tmux.press("?")
    let help = try await visit.tmux.wait("all keys") { $0.contains("next panel") && $0.contains("until fg") }
    #expect(help.contains("finds chains by any id") && !help.contains("sweeps every receipt"))
    try await visit.tmux.resize(columns: 80, rows: 24)
    try await visit.tmux.press("q")
    try await visit.tmux.press("q")
    try await visit.isOver(0)
    let after = try StoreTables(subtop.store)
    #expect(after == before)
  }
}
