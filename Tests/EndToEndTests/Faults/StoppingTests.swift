import FakeAppStore
import Glibc
import Testing

@Suite("Stopping sweeps")
struct StoppingTests {
  /// Sweeps whose answers never arrive, drip or are slow, and the signals that stop them.
  @Test(arguments: [
    ("--fault stall=1", SIGINT), ("--fault drip=1", SIGTERM), ("--latency 600000", SIGHUP),
  ])
  func endsWithoutWaiting(_ options: String, _ signal: Int32) async throws {
    let subtop = try await SmallStore.copy()
    let appStore = try await FakeAppStoreChild(
      ["--start", World.now, "--clock-speed", "0"] + options.split(separator: " ").map(String.init))
    try await ends(by: signal, of: subtop) {
      try subtop.start(["sweep", "--all", "--format", "json"] + appStore.options)
    }
  }

  /// The server accepts the connection, but never answers the handshake.
  @Test func endsWithoutWaitingForTLS() async throws {
    let subtop = try await SmallStore.copy()
    let server = try AnsweringServer("")
    defer { server.close() }
    let url = "https" + server.url.dropFirst("http".count)
    try await ends(by: SIGTERM, of: subtop) {
      let sweep = try subtop.start(
        ["sweep", "--all", "--format", "json", "--production-url", url, "--sandbox-url", url])
      try await soon("a connection is taken: \(sweep.errors)") {
        server.taken > 0 || sweep.hasEnded ? true : nil
      }
      return sweep
    }
  }

  /// Commits wait for minutes while another process writes, unless the sweep must stop.
  @Test func endsWhileAnotherProgramWrites() async throws {
    let life = try await Killing(ObservedAppStore { $0.latency = 2000 }, receipts: 240)
    let sweep = try life.start("--all")
    try await soon("something is asked: \(sweep.errors)") {
      life.appStore.server.traffic.requests > 0 || sweep.hasEnded ? true : nil
    }
    let writer = try OtherWriter(of: life.store.path)
    try await soon("something is answered and waits to be committed") {
      life.appStore.server.traffic.requests >= 12 || sweep.hasEnded ? true : nil
    }
    kill(sweep.pid, SIGTERM)
    #expect(try await sweep.ending() == .signal(SIGTERM), "\(sweep.errors)")
    try writer.end()
    try await life.isSound("after another program's long write")
  }

  /// Stops a sweep with a signal and verifies that it neither waited for answers nor counted them as failed.
  private func ends(
    by signal: Int32, of subtop: Subtop, starting start: () async throws -> Child
  ) async throws {
    let before = try StorePortrait(subtop.store, since: .max)
    let begun = ContinuousClock.now
    let sweep = try await start()
    let store = StoreFile(path: subtop.store)
    try await soon("the sweep has taken receipts up: \(sweep.errors)") {
      (try? store.lastLeaseEnd()) != nil || sweep.hasEnded ? true : nil
    }
    kill(sweep.pid, signal)
    // A sweep gives up on a silent App Store after twenty seconds, which a slow machine could exceed.
    let isEarly = ContinuousClock.now - begun < .seconds(10)
    #expect(try await sweep.ending() == .signal(signal), "\(sweep.errors)")
    let summary = try JSON(Array(sweep.output.utf8))
    #expect(summary["stopped"]?.text == "interrupted")
    let givenUp = ["retried", "retry_later"].reduce(0) { $0 + (summary[$1]?.integer ?? 0) }
    #expect(givenUp == 0 || !isEarly, "nothing is waited for until it is given up: \(sweep.output)")
    #expect(try store.lastLeaseEnd() == nil, "nothing is held any more")
    #expect(try store.complaints() == [])
    let last = try await subtop.run("sweeps", "--limit", "1", "--format", "json").json.list.first
    #expect(last?["stopped"]?.text == "interrupted", "\(last as Any)")
    #expect(try StorePortrait(subtop.store, since: .max).differences(from: before) == [])
  }
}
