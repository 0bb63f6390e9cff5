import FakeAppStore
import Glibc
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// `subtop` with a key for the reports of a fake App Store.
private struct FetchScene {
  let subtop: Subtop
  let server: FakeAppStoreServer
  let config: String

  /// - Parameter ahead: Days that the App Store's clock is ahead, so that all past days have their reports.
  init(
    ahead: Int64 = 1, issuer: String = FakeStore.defaultIssuerID, in other: Subtop? = nil,
    _ change: (inout FakeAppStoreConfiguration) -> Void = { _ in }
  ) throws {
    var configuration = FakeAppStoreConfiguration(
      clock: FakeClock(startingAt: FakeClock.realNow + ahead.days, speed: 0))
    configuration.subscribers = 300
    change(&configuration)
    server = FakeAppStoreServer(configuration)
    let port = try server.start()
    subtop = try other ?? Subtop()
    let key = try subtop.file("reports.p8", server.serverAPIKeyPEM)
    config = try subtop.file(
      "reports.toml",
      """
      reports_issuer_id = "\(issuer)"
      reports_key_id = "\(server.keyID)"
      reports_private_key_file = "\(key)"
      vendor_number = 85000000
      reports_url = "http://127.0.0.1:\(port)/"
      """)
  }

  /// Day that many days ago, in Pacific Time.
  static func day(_ ago: Int) -> CivilDate {
    CivilDate(daysSince1970: PacificTime.day(of: FakeClock.realNow).daysSince1970 - ago)
  }

  /// Runs the command, and checks that its output has neither the key nor a token.
  func fetch(days: Int, code: Int32 = 0) async throws -> String {
    let outcome = try await subtop.run(
      "fetch", "apple-reports", "--days", "\(days)", "--config", config, code: code)
    let secrets = server.serverAPIKeyPEM.split(separator: "\n").filter { !$0.hasPrefix("-") } + ["eyJ"]
    for secret in secrets { #expect(!outcome.errors.contains(secret)) }
    #expect(outcome.output.isEmpty)
    return outcome.errors
  }

  var reports: [AppleReport] {
    get throws {
      guard File.exists(subtop.store) else { return [] }
      return try ReceiptStore(path: subtop.store, access: .readOnly).appleReports()
    }
  }
}

@Suite("Fetching Apple's reports", .timeLimit(.minutes(20))) struct FetchTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var ahead: Int64 = 1
    var issuer = FakeStore.defaultIssuerID
    var change: @Sendable (inout FakeAppStoreConfiguration) -> Void = { _ in }
    var code: Int32 = 0
    let says: String
    /// Number of daily reports in the store afterwards.
    let stored: ClosedRange<Int>
  }

  /// Fetches of ten days, which have up to 40 daily reports, fewer on days without an event.
  private static let cases = [
    Case(testDescription: "all are there", says: " fetched", stored: 36...40),
    Case(
      testDescription: "a day is not available yet", change: { $0.reports.absent = [FetchScene.day(3)] },
      says: "not available yet", stored: 32...36),
    Case(testDescription: "most are past retention", ahead: 362, says: "past retention", stored: 12...20),
    Case(
      testDescription: "nothing was sold", change: { $0.subscribers = 0 }, says: "30 without sales",
      stored: 10...10),
    Case(
      testDescription: "the key lacks the role", change: { $0.reports.isForbidden = true }, code: 78,
      says: "with the role \"Finance\", \"Sales and Reports\" or \"Admin\"", stored: 0...0),
    Case(
      testDescription: "the key is of another team", issuer: "other", code: 78,
      says: "not to an In-App Purchase key", stored: 0...0),
    Case(
      testDescription: "the vendor number is another", change: { $0.reports.vendor = "1" }, code: 78,
      says: "The vendorNumber parameter you have specified is invalid.", stored: 0...0),
    Case(
      testDescription: "requests are nearly used up", change: { $0.reports.requestsPerHour = 21 }, code: 75,
      says: "has nearly used up its requests for this hour; run the command again", stored: 4...30),
    Case(
      testDescription: "a page instead of reports", change: { $0.faults = [FaultRate(.html, rate: 1)] },
      code: 65, says: "the next run fetches it again", stored: 0...0),
  ]

  @Test(arguments: cases) func endsAsTheAnswersDo(_ item: Case) async throws {
    let scene = try FetchScene(ahead: item.ahead, issuer: item.issuer, item.change)
    defer { scene.server.stop() }
    let errors = try await scene.fetch(days: 10, code: item.code)
    #expect(errors.contains(item.says), "\(errors)")
    let stored = try scene.reports.count { $0.from == $0.through }
    #expect(item.stored.contains(stored), "\(stored): \(errors)")
    // After the first report past retention, no older one of its kind is asked for.
    if item.ahead > 1 { #expect(scene.server.traffic.requests < 40) }
  }

  @Test func nothingIsLostByAKill() async throws {
    let scene = try FetchScene { $0.latency = 20 }
    defer { scene.server.stop() }
    let child = try scene.subtop.start(["fetch", "apple-reports", "--config", scene.config])
    try await soon("half is fetched: \(child.errors)") {
      scene.server.traffic.requests > 70 || child.hasEnded ? true : nil
    }
    kill(child.pid, SIGKILL)
    #expect(try await child.ending() == .signal(SIGKILL))
    let first = try scene.reports
    let final = first.count { $0.through < FetchScene.day(7) }
    #expect(final > 20)
    let before = scene.server.traffic.requests
    let errors = try await scene.fetch(days: 30)
    let all = try scene.reports
    #expect(Set(all).isSuperset(of: first) && all.count { $0.from == $0.through } > 110, "\(errors)")
    // Six requests are for versions that Apple refuses.
    let missing = errors.split { !$0.isNumber }.compactMap { Int($0) }.reduce(0, +)
    #expect(scene.server.traffic.requests - before == missing + 6, "\(errors)")
    let again = try await scene.fetch(days: 30)
    #expect(again.hasPrefix("Apple's reports: ") && !again.contains("fetched"), "\(again)")
    #expect(again.contains("28 unchanged") || again.contains("without sales"), "\(again)")
  }

  @Test func aRestatedReportIsFetchedAgain() async throws {
    let first = try FetchScene { $0.reports.restated = [FetchScene.day(1)] }
    defer { first.server.stop() }
    _ = try await first.fetch(days: 2)
    let later = try FetchScene(ahead: 5, in: first.subtop) { $0.reports.restated = [FetchScene.day(1)] }
    defer { later.server.stop() }
    #expect(try await later.fetch(days: 2).contains("restated"))
  }

  @Test(arguments: [
    (false, "ok       reports  ", "for vendor 85000000 is in "),
    (true, "problem  reports  ", "the role \"Finance\", \"Sales and Reports\" or \"Admin\""),
  ])
  func theDoctorNamesTheMissingRole(_ isForbidden: Bool, _ result: String, _ says: String) async throws {
    let scene = try FetchScene { $0.reports.isForbidden = isForbidden }
    defer { scene.server.stop() }
    let url = scene.server.url() ?? ""
    let outcome = try await scene.subtop.run(
      "doctor", "--online", "--config", scene.config, "--production-url", url, "--sandbox-url", url)
    let findings = outcome.output.split(separator: "\n").filter { $0.hasPrefix(result) }
    #expect(findings.count == 1 && findings.first?.contains(says) == true, "\(outcome.output)")
  }

  @Test func withoutAKeyItSaysWhatToSet() async throws {
    let subtop = try Subtop()
    let outcome = try await subtop.run("fetch", "apple-reports", code: 78)
    #expect(outcome.errors.contains("reports_private_key_file and vendor_number in "), "\(outcome.errors)")
    #expect(!File.exists(subtop.store))
  }
}
