import FakeAppStore
import Glibc
import Subscriptions
import TestSupport
import Testing

@Suite("The doctor") struct DoctorTests {
  @Test func findsNoProblemInAHealthyStore() async throws {
    let subtop = try await SmallStore.copy()
    let outcome = try await subtop.run("doctor")
    #expect(outcome.ending == .code(0) && outcome.errors == "")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("problem") } == [])
    let checks = ["configuration", "every app", "store", "sweeps"]
    for check in checks {
      #expect(lines.contains { $0.contains(" \(check) ") }, "\(check): \(outcome.output)")
    }
    #expect(outcome.output.contains("is intact: 40 receipts"))
    #expect(outcome.output.contains("the last sweep ended"))
  }

  @Test(arguments: Ailment.all)
  func reportsTheProblem(_ ailment: Ailment) async throws {
    var subtop = try await SmallStore.copy()
    try ailment.befall(&subtop)
    let before = try portrait(subtop)
    let outcome = try await subtop.run("doctor", "--format", "json")
    #expect(outcome.ending == .code(ailment.code) && outcome.errors == "", "\(outcome.errors)")
    let found = try outcome.json["checks"]?.list.filter {
      $0["check"]?.text == ailment.check && $0["result"]?.text == ailment.result
    }
    let says = try #require(found?.first?["says"]?.text, "\(outcome.output)")
    for words in ailment.says { #expect(says.contains(words), "\(says)") }
    let problems = try outcome.json["problems"]?.integer ?? 0
    #expect((problems > 0) == (ailment.code != 0))
    #expect(try portrait(subtop) == before, "something was changed")
    #expect(!outcome.output.contains("0123456789abcdef"))
  }

  private func portrait(_ subtop: Subtop) throws -> [String: String] {
    func look(_ folder: String) throws -> [String: String] {
      var found: [String: String] = [:]
      for name in File.names(in: folder) where !name.hasSuffix("-shm") && !name.hasSuffix("-wal") {
        let path = "\(folder)/\(name)"
        var status = stat()
        guard lstat(path, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR {
          found.merge(try look(path)) { $1 }
        } else {
          found[path] = "\(status.st_mode) \(try File.bytes(path).hashValue)"
        }
      }
      return found
    }
    return try look(subtop.home.path)
  }

  // MARK: Secrets and keys

  /// Ids need a Server API key, which a sweep must report too.
  @Test func reportsThatIDsNeedAKey() async throws {
    let appStore = try await ObservedAppStore()
    let subtop = try Subtop()
    let ids = try subtop.file(
      "ids.csv", "original_transaction_id,bundle_id\n2000000000000001,com.example.new\n")
    #expect(try await subtop.run("import", "ids", ids).ending == .code(0))
    let outcome = try await subtop.run("doctor", code: 78)
    #expect(outcome.output.contains("no sweep has run yet; run `subtop sweep`"), "\(outcome.output)")
    #expect(
      outcome.output.contains(
        "1 customer is known only by an id, so checks need a Server API key"),
      "\(outcome.output)")
    let sweep = try await subtop.run(["sweep", "--format", "json"] + appStore.options, code: 78)
    #expect(
      sweep.errors.contains("no App Store Server API key for com.example.new"), "\(sweep.errors)")
    #expect(try sweep.json["waiting_for_key"]?.integer == 1)
    // A key for every app is for no id whose app is unknown.
    let keyed = try await Self.subtop(issuer: "57246542-96fe-1a63-e053-0824d011072a", key: "2X9R4HXF34")
    let unnamed = try keyed.file("ids.csv", "original_transaction_id\n2000000000000001\n")
    #expect(try await keyed.run("import", "ids", unnamed).ending == .code(0))
    let keyless = try await keyed.run("doctor")
    #expect(keyless.output.contains("without an app, so no key applies"), "\(keyless.output)")
    // If there are also receipts, the ids wait and only a warning is shown.
    let both = try await SmallStore.copy()
    let bundle = FakeCatalog.bundleID.rawValue
    let known = try both.file("ids.csv", "original_transaction_id,bundle_id\n2000000000000001,\(bundle)\n")
    #expect(try await both.run("import", "ids", known).ending == .code(0))
    let doctor = try await both.run("doctor")
    #expect(doctor.ending == .code(0) && doctor.output.contains("warning  \(bundle)"), "\(doctor.output)")
    let swept = try await both.run(["sweep", "--all"] + appStore.options, code: 0)
    #expect(
      swept.errors.contains("1 customer was returned to the queue: an id without a receipt"),
      "\(swept.errors)")
  }

  private static func subtop(issuer: String, key: String) async throws -> Subtop {
    let subtop = try await SmallStore.copy()
    let file = try subtop.file("key.p8", try await ObservedAppStore().server.serverAPIKeyPEM)
    try subtop.configure(
      "issuer_id = \"\(issuer)\"\nkey_id = \"\(key)\"\nprivate_key_file = \"\(file)\"\n")
    return subtop
  }

  @Test(.enabled(if: FakedClock.isThere, "there is no C compiler"))
  func saysThatTheLastSweepWasLongAgo() async throws {
    let subtop = try await SmallStore.copy()
    let child = try FakedClock.start(subtop, ["doctor"], ahead: 3)
    #expect(try await child.ending() == .code(0))
    #expect(child.output.contains("warning  sweeps"), "\(child.output)")
  }

  // MARK: Online

  @Test func sendsRequestsOnlyIfAsked() async throws {
    let appStore = try await ObservedAppStore()
    let subtop = try await SmallStore.copy()
    _ = try await subtop.run(["doctor"] + appStore.options)
    #expect(appStore.server.traffic.requests == 0)
    let outcome = try await subtop.run(["doctor", "--online"] + appStore.options, code: 0)
    #expect(appStore.server.traffic.requests == 2)
    #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("ok       App Store ") } == 2)
    #expect(outcome.output.contains("agrees with the App Store's clock"), "\(outcome.output)")
  }

  /// No secret may be sent to a captive portal, or to a proxy without an App Store behind it.
  @Test(arguments: [
    ("{\"status\":21002}", 200, Int32(0), "warning  clock          the App Store sent no time"),
    ("<html>Welcome</html>", 200, 69, "answers with HTTP 200, unlike the App Store"),
    ("", 503, 69, "answers with HTTP 503: the App Store or a proxy"),
  ])
  func acceptsOnlyAnAppStore(
    _ body: String, _ status: Int, _ code: Int32, _ says: String
  ) async throws {
    let server = try AnsweringServer(body, status: status)
    let outcome = try await SmallStore.copy().run([
      "doctor", "--online", "--production-url", server.url, "--sandbox-url", server.url,
    ])
    server.close()
    #expect(outcome.ending == .code(code) && outcome.output.contains(says), "\(outcome.output)")
    #expect(server.bodies.count >= 2 && server.bodies.allSatisfy { $0 == "{}" })
  }

  /// Web servers answer unknown paths with 404; the Server API answers requests without a token with 401.
  @Test(arguments: [(404, Int32(69)), (401, 0)])
  func recognisesTheServerAPI(_ status: Int, _ code: Int32) async throws {
    let server = try AnsweringServer("<html></html>", status: status)
    let subtop = try await Self.subtop(issuer: "57246542-96fe-1a63-e053-0824d011072a", key: "2X9R4HXF34")
    let outcome = try await subtop.run([
      "doctor", "--online", "--server-api-url", server.url, "--server-api-sandbox-url", server.url,
    ])
    server.close()
    #expect(outcome.ending == .code(code), "\(outcome.output)")
  }

  @Test func reportsAnUnreachableAppStore() async throws {
    let subtop = try await SmallStore.copy()
    let outcome = try await subtop.run(
      "doctor", "--online", "--production-url", "http://127.0.0.1:1/", "--sandbox-url", "http://127.0.0.1:1/",
      code: 69)
    #expect(outcome.output.contains("http://127.0.0.1:1/ does not answer"), "\(outcome.output)")
  }

  @Test(
    .enabled(if: FakedClock.isThere, "there is no C compiler"),
    arguments: [(1, Int32(78), "problem  clock"), (-1, 0, "warning  clock")])
  func comparesTheClocks(_ days: Int, _ code: Int32, _ says: String) async throws {
    let appStore = try await ObservedAppStore()
    let subtop = try await SmallStore.copy()
    let child = try FakedClock.start(subtop, ["doctor", "--online"] + appStore.options, ahead: days)
    #expect(try await child.ending() == .code(code))
    #expect(child.output.contains(says), "\(child.output)")
  }
}
