import FakeAppStore
import Glibc
import Subscriptions
import Testing

/// One store of two apps: one asked about with the account's primary secret, one with its own.
@Suite("Several apps and their secrets")
struct SeveralAppsTests {
  private static let apps = [0, 1].map { FakeCatalog.bundleID(ofApp: $0) }
  private static let (primary, own, wrong) = ("PRIMARYSECRET-1111", "OWNSECRET-2222", "WRONGSECRET-3333")
  private static let receipts = 60

  private let appStore: ObservedAppStore
  private let subtop: Subtop

  init() async throws {
    appStore = try await ObservedAppStore {
      ($0.apps, $0.sharedSecret, $0.latency) = (2, Self.primary, 10)
      $0.sharedSecrets = [Self.apps[1]: Self.own]
    }
    var subtop = try Subtop()
    subtop.secret = nil
    let file = try subtop.file("receipts.jsonl", appStore.receipts(Self.receipts))
    try #require(try await subtop.run("import", "receipts", file).ending == .code(0))
    self.subtop = subtop
  }

  /// A configuration with the secrets in files.
  private func configured(primary: String?, own: String?) throws -> [String] {
    var text = ""
    if let primary {
      text += "shared_secret_file = \"\(try subtop.file("primary", " \(primary)\n"))\"\n"
    }
    if let own {
      let file = try subtop.file("own", own + "\n")
      text += "[apps.\"\(Self.apps[1])\"]\nshared_secret_file = \"\(file)\"\n"
    }
    return ["--config", try subtop.file("config.toml", text)] + appStore.options
  }

  @Test func eachIsAskedAboutWithItsOwnSecret() async throws {
    let options = try configured(primary: Self.primary, own: Self.own)
    let outcome = try await subtop.run(["sweep", "--all", "--format", "json"] + options)
    #expect(outcome.ending == .code(0), "\(outcome.errors)")
    #expect(try outcome.json["validated"]?.integer == Self.receipts)
    let traffic = appStore.server.traffic
    #expect(traffic.requests(bearing: Self.primary) == traffic.requests(about: Self.apps[0]))
    #expect(traffic.requests(bearing: Self.own) == traffic.requests(about: Self.apps[1]))
    #expect(traffic.requests(about: Self.apps[0]) > 0 && traffic.requests(about: Self.apps[1]) > 0)
  }

  struct Refused: CustomTestStringConvertible, Sendable {
    var name: String
    var primary: String?
    var own: String?
    /// Which of the apps is not asked about further.
    var app: Int
    var stopped: String
    var says: String
    var testDescription: String { name }

    static let all = [
      Refused(
        name: "the app's own secret is wrong", primary: SeveralAppsTests.primary, own: SeveralAppsTests.wrong,
        app: 1,
        stopped: "secret_refused", says: "Apple refused the shared secret of com.example.lumen2 (21004)"),
      Refused(
        name: "there is no primary secret", primary: nil, own: SeveralAppsTests.own, app: 0,
        stopped: "not_ours",
        says: "the configuration lists other apps than com.example.lumen, so its receipts were not sent"),
    ]
  }

  @Test(arguments: Refused.all)
  func oneStopsAndTheOtherIsSwept(_ refused: Refused) async throws {
    let options = try configured(primary: refused.primary, own: refused.own)
    let before = try StorePortrait(subtop.store, since: .max, tables: ["receipts"]).rows
    let outcome = try await subtop.run(["sweep", "--all", "--format", "json"] + options)
    #expect(outcome.ending == .code(78))
    #expect(outcome.errors.contains(refused.says), "\(outcome.errors)")
    let summary = try outcome.json
    #expect(summary["stopped"]?.text == refused.stopped)
    #expect(
      summary["stopped_apps"]?.list.compactMap { $0["bundle_id"]?.text } == ["\(Self.apps[refused.app])"])
    #expect(summary["validated"]?.integer == Self.receipts / 2)
    let asked = appStore.server.traffic.requests(about: Self.apps[refused.app])
    #expect(asked <= 10, "the queue is not burnt")
    #expect((summary["by_status.21004"]?.integer ?? 0) == asked)
    let after = try StorePortrait(subtop.store, since: .max, tables: ["receipts"]).rows
    let untouched = Set(before["receipts"] ?? []).intersection(after["receipts"] ?? [])
    #expect(untouched.count == Self.receipts / 2, "its receipts are as they were")
  }

  /// Neither what others can see of a process nor anything that it leaves behind holds a secret.
  @Test func secretsAreSeenNowhere() async throws {
    let options = try configured(primary: Self.primary, own: Self.wrong)
    let slow = try await ObservedAppStore.holding { ($0.apps, $0.sharedSecret) = (2, Self.primary) }
    let asking = options.prefix(2) + slow.options + ["--concurrency", "2"]
    let sweep = try subtop.start(["sweep", "--all", "--format", "json"] + asking)
    try await soon("something is asked: \(sweep.errors)") { slow.server.requestCount > 0 ? true : nil }
    let seen = try File.text("/proc/\(sweep.pid)/cmdline") + File.text("/proc/\(sweep.pid)/environ")
    #expect(try UInt64(File.text("/proc/\(sweep.pid)/coredump_filter").dropLast(), radix: 16) == 0)
    let limits = try File.text("/proc/\(sweep.pid)/limits").split(separator: "\n")
    let core = limits.first { $0.hasPrefix("Max core file size") }
    #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
    kill(sweep.pid, SIGTERM)
    #expect(try await sweep.ending() == .signal(SIGTERM))
    let refused = try await subtop.run(["sweep", "--all"] + options)
    #expect(refused.ending == .code(78))
    let log = (try? File.text(subtop.log)) ?? ""
    let said = seen + sweep.output + sweep.errors + refused.output + refused.errors + log
    let kept = ["", "-wal"].map { subtop.store + $0 }.filter(File.exists)
    for secret in [Self.primary, Self.own, Self.wrong] {
      #expect(!said.contains(secret))
      for file in kept { #expect(try !File.contains(secret, in: file)) }
    }
    #expect(!log.isEmpty)
  }
}
