import TestSupport
import Testing

@Suite("A tour of the dashboard", .enabled(if: Tmux.isThere, "tmux is not installed"))
struct TourTests {
  private static let panels = [
    ("1", "Churn in"), ("2", "Lost: cancelled"), ("3", "Auto-renew"), ("4", "In billing retry"),
    ("6", "by reason"), ("9", "Refund rate"), ("0", "Replaced periods"), ("E", "events in"),
    ("W", "Apple's last answer"),
  ]

  @Test(.tags(.long)) func throughTheDemo() async throws {
    let visit = try await Visit(Subtop(), ["demo", "--subscribers", "300", "--seed", "1"])
    let tmux = visit.tmux
    try await tmux.wait(for: "Subscribers in")
    try await tmux.wait(for: "demo, 10 min/s")
    for (key, text) in Self.panels + Self.panels.prefix(1) {
      try await tmux.press(key, showing: text)
    }
    for (key, panel) in [("Tab", 1), ("BTab", 0)] {
      try await tmux.press(key, showing: Self.panels[panel].1)
    }
    try await tmux.resize(columns: 120, rows: 40)
    try await tmux.press("E")
    try await tmux.wait("notifications are received") { screen in
      screen.contains(" notifications stored, ") && screen.contains("notified by ")
    }
    try await tmux.resize(columns: 80, rows: 24)
    try await tmux.press("q", showing: "Churn in")
    try await tmux.press("q", showing: "is deleted when")
    try await tmux.press("y")
    try await visit.isOver(0)
    #expect(
      !File.names(in: visit.subtop.home.path).contains { $0.hasPrefix("subtop-demo") }, "the demo cleans up")
  }

  @Test func showsCommitsOfOtherProcesses() async throws {
    let subtop = try Subtop()
    _ = try await subtop.run(
      "import", "catalog", try subtop.file("prices", CatalogText.header + CatalogText.price("gold")))
    let visit = try await Visit(subtop, ["--environment", "all"])
    try await visit.tmux.wait(for: "The store holds no receipts")
    _ = try await subtop.run("import", "responses", try subtop.file("answer", AnswerText().text))
    try await visit.tmux.wait(for: "1 unverified subscription")
    try await visit.tmux.press("F10")
    try await visit.isOver(0)
  }

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
    #expect(help.contains("finds an id, figure or product") && !help.contains("sweeps every receipt"))
    try await visit.tmux.resize(columns: 80, rows: 24)
    try await visit.tmux.press("F10")
    try await visit.isOver(0)
    #expect(try StoreTables(subtop.store) == before)
  }
}
