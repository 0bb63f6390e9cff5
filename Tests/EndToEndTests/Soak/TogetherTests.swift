import FakeAppStore
import Glibc
import Subscriptions
import TestSupport
import Testing

@Suite("Together", .tags(.long), .enabled(if: Tmux.isThere, "tmux is not installed"))
struct TogetherTests {
  private static let receipts = 150

  @Test func concurrentProcessesDoNotDisturbEachOther() async throws {
    let appStore = try await ObservedAppStore { $0.latency = 25 }
    let life = try await Killing(appStore, receipts: Self.receipts)
    try Self.everythingIsDue(life.subtop)
    let visit = try await Visit(
      life.subtop, ["dashboard", "--no-mouse", "--environment", "all"] + appStore.options)
    try await visit.tmux.wait(for: "Nothing to count yet")
    let end = ContinuousClock.now + .seconds(SoakSize.seconds)
    let outcomes = try await withThrowingTaskGroup(of: [Outcome].self) { group in
      group.addTask { try await Self.cron(life, until: end, [["--due"], ["--due", "--limit", "40"]]) }
      group.addTask { try await Self.cron(life, until: end, [["--all"], ["--dead"]]) }
      group.addTask { try await Self.imports(life, until: end) }
      group.addTask { try await Self.person(visit.tmux, until: end) }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    try await visit.tmux.press("F10")
    try await visit.isOver(0)
    // The dashboard waits five seconds for its sweep; on a busy machine its leases have to expire.
    try await soon("leases are returned or expire") {
      try (life.store.lastLeaseEnd() ?? 0) / 1000 <= time(nil) ? true : nil
    }
    try check(outcomes, of: life)
    try await isAsAQuietStore(life)
  }

  private static func everythingIsDue(_ subtop: Subtop) throws {
    let kinds = [
      "trial", "active", "price_consent_pending", "overdue", "grace", "billing_retry", "lapsed",
      "long_lapsed",
    ]
    let spans = kinds.map { "\($0) = \"1s\"\n" }.joined()
    try subtop.configure(
      "[sweep]\nfull_answer_every = \"0s\"\nconcurrency = 4\n[due]\n" + spans)
  }

  private static func cron(
    _ life: Killing, until end: ContinuousClock.Instant, _ selections: [[String]]
  ) async throws -> [Outcome] {
    var outcomes: [Outcome] = []
    while ContinuousClock.now < end {
      let selection = selections[outcomes.count % selections.count]
      outcomes.append(
        try await life.subtop.run(["sweep", "--format", "json"] + selection + life.appStore.options))
    }
    return outcomes
  }

  private static func imports(_ life: Killing, until end: ContinuousClock.Instant) async throws -> [Outcome] {
    let files = [
      ("receipts", try life.subtop.file("again", life.appStore.receipts(receipts))),
      ("responses", try life.subtop.file("answers", life.appStore.responses(40))),
      ("catalog", try life.subtop.file("prices", FakeCatalog.csv)),
    ]
    var outcomes: [Outcome] = []
    while ContinuousClock.now < end {
      let (kind, file) = files[outcomes.count % files.count]
      outcomes.append(try await life.subtop.run("import", kind, file))
      outcomes.append(try await life.subtop.run("status", "--check", "--format", "json"))
    }
    return outcomes
  }

  /// Presses keys of a person, and ends without an open confirmation, in which `q` would not quit.
  private static func person(_ tmux: Tmux, until end: ContinuousClock.Instant) async throws -> [Outcome] {
    var screens = ""
    while ContinuousClock.now < end {
      for key in ["S", "y", "3", "W", "s", "1", "E", "r"] {
        try await tmux.press(key)
        screens += try await tmux.screen()
      }
    }
    return [Outcome(command: "dashboard", ending: .code(0), output: screens, errors: "")]
  }

  private func check(_ outcomes: [Outcome], of life: Killing) throws {
    for outcome in outcomes {
      #expect([.code(0), .code(75)].contains(outcome.ending), "\(outcome.command): \(outcome.errors)")
    }
    let said = outcomes.map { $0.output + $0.errors }.joined() + ((try? File.text(life.subtop.log)) ?? "")
    for word in ["locked", "busy", "(SQLite", "not read"] {
      let place = said.firstRange(of: word).map { said[$0.lowerBound...].prefix(200) }
      #expect(place == nil)
    }
    let traffic = life.appStore.server.traffic
    #expect(traffic.mostAtOnceAboutOneReceipt == 1, "no receipt is requested twice at the same time")
    #expect(try life.store.complaints() == [])
    print(
      "together: \(outcomes.count) programs, \(traffic.requests) requests, \(traffic.mostAtOnce) at once, 1 about one receipt at the most"
    )
  }

  /// Expects the store to equal one in which the same work was done sequentially.
  private func isAsAQuietStore(_ life: Killing) async throws {
    let appStore = try await ObservedAppStore()
    let quiet = try await Killing(appStore, receipts: Self.receipts)
    try Self.everythingIsDue(quiet.subtop)
    let answers = try quiet.subtop.file("answers", appStore.responses(40))
    for (store, options) in [(life, life.appStore.options), (quiet, appStore.options)] {
      for arguments in [
        ["sweep", "--all"] + options, ["import", "responses", answers], ["sweep", "--all"] + options,
      ] {
        try await store.subtop.run(arguments, code: 0)
      }
    }
    #expect(try life.portrait().differences(from: quiet.portrait()) == [])
    for panel in Panel.allCases {
      let arguments = [
        "report", panel.rawValue, "--format", "json", "--at", World.now, "--environment", "all",
      ]
      let (here, there) = (
        try await life.subtop.run(arguments).json, try await quiet.subtop.run(arguments).json
      )
      let differences = here.differences(from: there)
      #expect(differences == [], "\(panel)")
    }
  }
}
