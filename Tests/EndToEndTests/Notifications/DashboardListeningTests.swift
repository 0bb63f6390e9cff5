import Glibc
import TestSupport
import Testing

@Suite("Listening beside the dashboard", .serialized, .enabled(if: Tmux.isThere, "tmux is not installed"))
struct DashboardListeningTests {
  private typealias Fields = SignedNotificationFields
  private let scene: ListeningScene

  init() throws { scene = try ListeningScene() }

  /// Free port outside the range from which the system assigns ports.
  private func freePort() throws -> Int {
    for port in 21_000..<21_200 {
      guard let taken = Loopback.listen(on: UInt16(port + Int(getpid()) % 97 * 100)) else { continue }
      close(taken.descriptor)
      return Int(taken.port)
    }
    throw ProgramError.missing("a free port")
  }

  private func open(_ listen: String, _ options: [String] = []) async throws -> Visit {
    _ = try await scene.subtop.run("import", "ids", try scene.subtop.file("ids", "300090\n"))
    let file = try scene.configuration(listen)
    let visit = try await Visit(scene.subtop, ["--config", file] + options)
    try await visit.tmux.resize(columns: 120, rows: 40)
    try await visit.tmux.wait(for: "Overview")
    try await visit.tmux.press("E")
    return visit
  }

  private func isOver(_ visit: Visit, _ code: Int) async throws {
    try await visit.tmux.resize(columns: 80, rows: 24)
    try await visit.isOver(code)
  }

  @Test(arguments: [nil, SIGTERM]) func receivesAndShows(_ signal: Int32?) async throws {
    let port = try freePort()
    let visit = try await open("dashboard = true\nport = \(port)")
    try await visit.tmux.wait(for: "listening on http://127.0.0.1:\(port)")
    for _ in 1...3 { try await visit.tmux.press("w") }
    try await visit.tmux.wait(for: "all, ")
    let client = try #require(LoopbackClient(port: port))
    #expect(await client.get("/healthz").status == 200)
    for number in 1...3 { #expect(await client.post(scene.purchase(number)).status == 200) }
    #expect(await client.post("hello").status == 400)
    try await visit.tmux.wait(for: "3 notifications stored, 1 rejected, last ")
    try await visit.tmux.wait("the purchases") {
      $0.contains("6 events in") && $0.contains("INITIAL_PURCHASE ✓")
    }
    try await visit.tmux.press("3", showing: "Auto-renew")
    if let signal {
      kill(try await visit.tmux.running(), signal)
      try await isOver(visit, 128 + Int(signal))
    } else {
      try await visit.tmux.press("F10")
      try await isOver(visit, 0)
    }
    #expect(try scene.uuids() == Set((1...3).map(Fields.uuid)))
    #expect(LoopbackClient(port: port) == nil, "nothing listens any more")
  }

  @Test func reportsWhyItCannotListen() async throws {
    let other = try scene.subtop.start(
      ["listen", "--port", "0", "--store", scene.subtop.home / "other.sqlite"])
    let taken = try await other.port()
    let visit = try await open("dashboard = true\nport = \(taken)")
    try await visit.tmux.wait(for: "not receiving notifications")
    #expect(try File.text(scene.subtop.log).contains("cannot listen on 127.0.0.1"))
    try await visit.tmux.press("W", showing: "Last sweeps")
    try await visit.tmux.press("F10")
    try await isOver(visit, 0)
    try await other.stop()
  }

  @Test(arguments: [
    ("dashboard = false", []), ("dashboard = true", ["--readonly"]),
    ("dashboard = true", ["--at", "2026-01-01"]),
  ]) func doesNotListenIfDisabledOrReadOnly(_ settings: String, _ options: [String]) async throws {
    let port = try freePort()
    let visit = try await open("\(settings)\nport = \(port)", options)
    try await visit.tmux.wait("the panel") { $0.contains("Nothing to count yet") || $0.contains("Events") }
    #expect(LoopbackClient(port: port) == nil)
    try await visit.tmux.press("F10")
    try await isOver(visit, 0)
  }
}
