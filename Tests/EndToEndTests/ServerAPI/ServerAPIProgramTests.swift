import AppStore
import FakeAppStore
import Glibc
import Subscriptions
import TestSupport
import Testing

@Suite("The App Store Server API") struct ServerAPIProgramTests {
  private let scene: ServerAPIScene
  private var subtop: Subtop { scene.subtop }

  init() async throws { scene = try await ServerAPIScene() }

  private func handedOver() async throws -> (receipts: String, ids: String) {
    let receipts = try await scene.receipts()
    var rows = ["user_id,original_transaction_id,bundle_id"]
    for line in receipts.split(separator: "\n") {
      guard let json = try? JSON(Array(line.utf8)), let data = json["receipt-data"]?.text,
        let id = ReceiptContents(ReceiptData(trusted: data))?.customerID
      else { continue }
      rows.append("\(json["app_user_id"]?.text ?? ""),\(id),\(json["bundle_id"]?.text ?? "")")
    }
    return (receipts, rows.joined(separator: "\n") + "\n")
  }

  @Test func idsBecomeFigures() async throws {
    let ids = try subtop.file("ids.csv", await handedOver().ids)
    try await subtop.run("import", "ids", ids, code: 0)
    let sweep = try await subtop.run(["sweep", "--format", "json"] + scene.options(), code: 0)
    let picked = try #require(try sweep.json["picked"]?.integer)
    #expect(picked > ServerAPIScene.subscribers * 3 / 4)
    #expect(try sweep.json["validated"]?.integer == picked)
    let active = try await subtop.run("report", "active", "--environment", "all", "--format", "json").json
    #expect(active["trust.unpriced_transactions"]?.integer == 0)
    #expect(active["data.mrr"]?.list.count ?? 0 > 3, "prices come from Apple, in many currencies")
    let again = try await subtop.run(["sweep", "--all", "--format", "json"] + scene.options())
    #expect(try again.json["new_transactions"]?.integer == 0)
    #expect(try again.json["validated"]?.integer == picked)
  }

  @Test func reportsWhyAnswersAreNotTrusted() async throws {
    let stale = subtop.home / "stale.pem"
    let other = try await FakeAppStoreChild(["--subscribers", "1", "--write-root", stale])
    defer { withExtendedLifetime(other) {} }
    let ids = try subtop.file("ids.csv", await handedOver().ids)
    #expect(try await subtop.run("import", "ids", ids).ending == .code(0))
    let reason = "do not lead to the trusted root certificate"
    let sweep = try await subtop.run(
      ["sweep", "--format", "json"] + scene.options(root: stale), code: 78,
      says: [reason, "root_certificate_file", "server_api_url"])
    #expect(try sweep.json["stopped"]?.text == "untrusted")
    let failures = try #require(try sweep.json["failures"]?.list)
    #expect(failures.contains { $0["reason"]?.text?.contains(reason) == true }, "\(failures)")
    #expect(
      try failures.reduce(0) { $0 + ($1["count"]?.integer ?? 0) } == sweep.json["retry_later"]?.integer)
    let again = try await subtop.run(["sweep", "--all"] + scene.options(root: stale))
    #expect(again.output.contains("Postponed, by reason") && again.output.contains(reason))
    let status = try await subtop.run("status")
    #expect(status.output.contains("Awaiting retry, by reason") && status.output.contains(reason))
  }

  @Test func anUntrustedBackfillIsRepeatedByTheNext() async throws {
    let stale = subtop.home / "stale.pem"
    let other = try await FakeAppStoreChild(["--subscribers", "1", "--write-root", stale])
    defer { withExtendedLifetime(other) {} }
    try await subtop.run(
      ["backfill", "--days", "20"] + scene.options(root: stale), code: 78,
      says: ["do not lead to the trusted root certificate", "root_certificate_file", "server_api_url"])
    let taken = try await subtop.run(["backfill", "--days", "20"] + scene.options(), code: 0)
    let line = try #require(taken.errors.split(separator: "\n").first { $0.contains(", Production: ") })
    let counts = line.split(separator: " ").compactMap { Int($0) }
    #expect(counts.count == 2 && counts.first == counts.last && counts[0] > 10, "\(line)")
  }

  @Test func aBackfillOfNoAppMakesNoStore() async throws {
    let configuration = try subtop.file(
      "config.toml",
      """
      issuer_id = "\(FakeStore.defaultIssuerID)"
      key_id = "\(FakeStore.defaultKeyID)"
      private_key_file = "\(scene.key)"
      """)
    let outcome = try await subtop.run("backfill", "--config", configuration, code: 78)
    #expect(outcome.errors.contains("no known app has a Server API key; list your apps"), "\(outcome.errors)")
    try await subtop.run(["backfill"] + scene.options(issuer: "another"), code: 78)
    #expect(!File.exists(subtop.store))
  }

  /// The page takes hours, so the signal arrives while the program waits for it.
  @Test func anInterruptedBackfillIsReported() async throws {
    let silent = try await ObservedAppStore.holding { $0.subscribers = 30 }
    let configuration = try subtop.file("config.toml", try silent.configuration(in: subtop.home))
    let child = try subtop.start(["backfill", "--config", configuration])
    try await soon("something is asked: \(child.errors)") {
      silent.server.traffic.requests > 0 || child.hasEnded ? true : nil
    }
    kill(child.pid, SIGINT)
    #expect(try await child.ending() == .signal(SIGINT), "\(child.errors)")
    #expect(child.errors == "subtop: the backfill was interrupted; what was fetched is kept\n")
    #expect(!File.exists(subtop.store), "nothing came")
  }

  /// With a single customer, the key or the id may belong to another app, so both are reported.
  @Test(.tags(.long)) func anAnswerOfAnotherAppIsReportedWithAdvice() async throws {
    let scene = try await ServerAPIScene("--fault", "other-app=1")
    let subtop = scene.subtop
    let receipts = try subtop.file("receipts.jsonl", try await scene.receipts())
    #expect(try await subtop.run("import", "receipts", receipts).ending == .code(0))
    let sweep = try await subtop.run(
      ["sweep", "--receipt", "1", "--format", "json"] + scene.options(), code: 78)
    for words in [
      "(bundle id com.example.elsewhere.",
      "the answers were discarded without changing a customer, and the app's remaining customers were not checked",
      "the bundle id, the key and server_api_url belong together", "import them again with --bundle",
    ] {
      #expect(sweep.errors.contains(words), "\(sweep.errors)")
    }
    #expect(try sweep.json["stopped"]?.text == "other_app")
    let counts = try sweep.json
    #expect(counts["retry_later"]?.integer == 1 && counts["rejected"]?.integer == 0)
    let status = try await subtop.run("status", "--format", "json").json
    #expect(status["dead"]?.integer == 0 && status["transactions"]?.integer == 0)
  }

  static let wrong: [(String, String, String?, [String])] = [
    (
      "another issuer", "00000000-0000-0000-0000-000000000000", nil,
      [
        "Apple refused the Server API key \(FakeStore.defaultKeyID)", "HTTP 401", "clock agrees",
        "In-App Purchase key",
      ]
    ),
    (
      "a key that is none", FakeStore.defaultIssuerID,
      "-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n",
      ["private key", "not a P-256 private key", ".p8"]
    ),
  ]

  @Test(arguments: wrong) func aWrongKeyIsNamedAndNothingChanges(
    _ testDescription: String, _ issuer: String, _ key: String?, _ says: [String]
  ) async throws {
    let ids = try subtop.file("ids.csv", await handedOver().ids)
    #expect(try await subtop.run("import", "ids", ids).ending == .code(0))
    let key = try key.map { try subtop.file("wrong.p8", $0, mode: 0o600) }
    try await subtop.run(["sweep"] + scene.options(issuer: issuer, key: key), code: 78, says: says)
    let status = try await subtop.run("status", "--format", "json").json
    #expect(status["dead"]?.integer == 0 && status["transactions"]?.integer == 0)
  }

  @Test func aCustomRootIsTrustedOnlyOnThisMachine() async throws {
    let configuration = try subtop.file(
      "elsewhere.toml",
      """
      root_certificate_file = "\(scene.root)"
      issuer_id = "i"
      key_id = "k"
      private_key_file = "\(scene.key)"
      """)
    #expect(try await subtop.run("import", "ids", try subtop.file("ids", "2000\n")).ending == .code(0))
    try await subtop.run("sweep", "--config", configuration, code: 78, says: ["on this machine"])
  }

  @Test func theKeyIsNeverPrintedOrStored() async throws {
    let ids = try subtop.file("ids.csv", await handedOver().ids)
    _ = try await subtop.run("import", "ids", ids)
    let sweep = try await subtop.run(["sweep"] + scene.options())
    let secret = try #require(try File.text(scene.key).split(separator: "\n").dropFirst().first)
    let printed = try await subtop.run("config", "--effective", "--config", subtop.home / "config.toml")
    for text in [sweep.output, sweep.errors, printed.output, printed.errors] {
      #expect(!text.contains(secret))
    }
    #expect(try !File.contains(String(secret), in: subtop.store))
  }
}
