import AppStore
import FoundationEssentials
import ReceiptStore
import Subscriptions
import Sweep
import Synchronization
import TestSupport
import Testing

@Suite(.blocking) struct ServerAPISweepTests {
  /// Monthly row, by default the customer's first.
  static func row(
    _ number: Int = 1, signedAt: Int64 = SceneClock.standard, price: Int64? = 9990, refunded: Bool = false,
    chain: String = ServerAPIScene.customer, bundle: String = ServerAPIScene.app.rawValue,
    environment: String = "Production"
  ) -> SignedTransactionFields {
    let month: Int64 = 30 * 86_400_000
    let start = SceneClock.standard - 400 * 86_400_000 + Int64(number) * month
    return SignedTransactionFields {
      $0.transactionId = "20000000000\(10_000 + number)"
      $0.originalTransactionId = chain
      $0.bundleId = bundle
      $0.purchaseDate = start
      $0.expiresDate = start + month
      $0.signedDate = signedAt
      $0.environment = environment
      $0.price = price
      $0.revocationDate = refunded ? start + 86_400_000 : nil
      $0.revocationReason = refunded ? 1 : nil
    }
  }

  static let renewal = ServerAPIAnswer.Renewal(signedDate: SceneClock.standard)

  @Test func aCustomerIsAskedForAllPagesAndTheStatuses() throws {
    let scene = try ServerAPIScene { call, authority in
      guard call.isHistory else { return ServerAPIAnswer.statuses(Self.row(12), Self.renewal, by: authority) }
      switch call.revision {
      case nil:
        return ServerAPIAnswer.history([Self.row(10)], by: authority, revision: "r1 +/", hasMore: true)
      case "r1%20%2B%2F": return ServerAPIAnswer.history([Self.row(11)], by: authority, revision: "r2")
      default: return ServerAPIAnswer.error(4_000_005)
      }
    }
    try scene.add(ServerAPIScene.customer)
    let summary = try scene.sweep()
    #expect(summary.counts.validated == 1 && summary.counts.newTransactions == 3)
    #expect(summary.counts.byStatus == [0: 1] && summary.counts.http == [200: 3])
    let line = try #require(try scene.chain()?.lines.first)
    #expect(line.transactions.map(\.currency) == Array(repeating: CurrencyCode("EUR"), count: 3))
    #expect(line.autoRenew == true)
    #expect(scene.calls.allSatisfy { $0.token.hasPrefix("Bearer ey") })
  }

  /// Apple signs statuses again for each request.
  @Test(arguments: [0, 1000]) func anUnchangedCustomerCostsASmallPageAndTheStatuses(_ step: Int64) throws {
    let asked = Counter()
    let scene = try ServerAPIScene { call, authority in
      guard call.isHistory else {
        let signedAt = SceneClock.standard + Int64(asked.next()) * step
        return ServerAPIAnswer.statuses(
          Self.row(12, signedAt: signedAt), ServerAPIAnswer.Renewal(signedDate: signedAt), by: authority)
      }
      return ServerAPIAnswer.history(
        call.revision == nil ? (1...12).map { Self.row($0) } : [], by: authority, revision: "end")
    }
    try scene.add(ServerAPIScene.customer)
    _ = try scene.sweep()
    scene.clock.advance(Milliseconds.hour)
    let before = try #require(try scene.chain())
    let again = try scene.sweep(.all)
    #expect(again.counts.changed == 0 && again.counts.unchanged == 1)
    let third = try scene.sweep(.all)
    #expect(third.counts.unchanged == 1 && third.counts.newTransactions == 0)
    #expect(scene.calls.filter(\.isHistory).map(\.revision) == [nil, "end", "end"])
    let undated = { (chain: ChainReport) in
      chain.lines.map { line in
        line.transactions.map { row in
          var row = row
          row.signedAtMs = nil
          return row
        }
      }
    }
    #expect(try scene.chain().map(undated) == undated(before))
  }

  @Test func theNextRevisionReturnsChangedRows() throws {
    let scene = try ServerAPIScene { call, authority in
      guard call.isHistory else { return ServerAPIAnswer.statuses(Self.row(12), Self.renewal, by: authority) }
      return call.revision == nil
        ? ServerAPIAnswer.history([Self.row(11), Self.row(12)], by: authority, revision: "1")
        : ServerAPIAnswer.history(
          [Self.row(11, signedAt: SceneClock.standard + 1000, refunded: true)], by: authority, revision: "2")
    }
    try scene.add(ServerAPIScene.customer)
    _ = try scene.sweep()
    scene.clock.advance(Milliseconds.hour)
    let summary = try scene.sweep(.all)
    #expect(summary.counts.changed == 1 && summary.counts.news.refunds == 1)
    #expect(try scene.chain()?.lines.first?.transactions.map(\.refunded) == [true, false])
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var history: @Sendable (ServerAPIScene.Call, SigningAuthority) -> CannedReply
    var failure: String?
    var isDead = false
    var status: Int?
  }

  private static func ordinary(_ call: ServerAPIScene.Call, _ authority: SigningAuthority) -> CannedReply {
    let environment = call.isSandbox ? "Sandbox" : "Production"
    guard call.isHistory else { return ServerAPIAnswer.noStatuses }
    return ServerAPIAnswer.history([row(environment: environment)], by: authority, revision: "1")
  }

  static let cases = [
    Case(testDescription: "an ordinary answer", history: ordinary),
    Case(
      testDescription: "only the sandbox knows the id",
      history: { $0.isSandbox ? ordinary($0, $1) : ServerAPIAnswer.error(4_040_010) }),
    Case(
      testDescription: "neither knows the id", history: { _, _ in ServerAPIAnswer.error(4_040_010) },
      failure: "in neither production nor the sandbox", isDead: true, status: 4_040_010),
    Case(
      testDescription: "the account is gone", history: { _, _ in ServerAPIAnswer.error(4_040_001) },
      failure: "deleted", isDead: true),
    Case(
      testDescription: "a malformed id", history: { _, _ in ServerAPIAnswer.error(4_000_006) },
      failure: "4000006", isDead: true, status: 4_000_006),
    Case(
      testDescription: "an error that passes", history: { _, _ in ServerAPIAnswer.error(5_000_001) },
      failure: "5000001", status: 5_000_001),
    Case(
      testDescription: "an error without words", history: { _, _ in .answer("<html>", status: 503) },
      failure: "HTTP 503"),
    Case(
      testDescription: "no JSON", history: { _, _ in .answer("nothing") }, failure: "unreadable answer"),
    Case(
      testDescription: "another authority's signature",
      history: { call, _ in
        SigningAuthority().map { ordinary(call, $0) } ?? .answer("")
      }, failure: "do not lead to the trusted root certificate"),
    Case(
      testDescription: "a row without its signature",
      history: { _, authority in
        let rows = [authority.sign(row()), String(authority.sign(row(2)).prefix { $0 != "." })]
        return ServerAPIAnswer.json(ServerAPIAnswer.History(revision: "1", signedTransactions: rows))
      }, failure: "signed data was refused: it is not a JWS"),
    Case(
      testDescription: "another app's row",
      history: { _, authority in
        ServerAPIAnswer.history([row(bundle: "com.example.other")], by: authority, revision: "1")
      }, failure: "another app"),
    Case(
      testDescription: "the other environment's row",
      history: { _, authority in
        ServerAPIAnswer.history([row(environment: "Sandbox")], by: authority, revision: "1")
      }, failure: "its environment is Sandbox, not Production"),
    Case(
      testDescription: "another customer's rows",
      history: { call, authority in
        call.isHistory
          ? ServerAPIAnswer.history([row(chain: "2000000000000777")], by: authority, revision: "1")
          : ServerAPIAnswer.noStatuses
      }, failure: "another customer"),
    Case(
      testDescription: "pages without an end",
      history: { _, authority in
        ServerAPIAnswer.history([row()], by: authority, revision: "same", hasMore: true)
      }, failure: "its next page is missing or repeated"),
  ]

  @Test(arguments: cases) func classifiesAnswers(_ one: Case) throws {
    let scene = try ServerAPIScene { one.history($0, $1) }
    try scene.add(ServerAPIScene.customer)
    // Accepts a verdict immediately.
    let summary = try scene.sweep(tries: 2, options: { $0.giveUpPolicy.verdictSpan = 0 })
    let queue = try scene.store.status(at: scene.clock.now, check: false)
    #expect(summary.counts.validated == (one.failure == nil ? 1 : 0))
    #expect(queue.dead == (one.isDead ? 1 : 0))
    if let status = one.status { #expect(summary.counts.byStatus[status] ?? 0 > 0) }
    let reasons = try scene.reasons()
    if let failure = one.failure { #expect(reasons.contains { $0.contains(failure) }, "\(reasons)") }
    let later = one.isDead ? nil : one.failure
    #expect(summary.failures.map(\.count) == (later == nil ? [] : [1]))
    let waiting = try scene.store.queue(at: scene.clock.now).failures
    #expect(waiting.map { FailureTally(reason: $0.reason, count: $0.count) } == summary.failures)
    if let later { #expect(summary.failures.allSatisfy { $0.reason.contains(later) }, "\(summary.failures)") }
    #expect(try (scene.chain() != nil) == (one.failure == nil), "a refused answer leaves nothing behind")
  }

  @Test func aRefusedRevisionRestartsTheHistory() throws {
    let asked = Counter()
    let scene = try ServerAPIScene { call, authority in
      guard call.isHistory else { return ServerAPIAnswer.noStatuses }
      if call.revision == "old" { return ServerAPIAnswer.error(4_000_005) }
      let count = asked.next()
      return ServerAPIAnswer.history(
        (1...count).map { Self.row($0) }, by: authority, revision: count == 1 ? "old" : "new")
    }
    try scene.add(ServerAPIScene.customer)
    _ = try scene.sweep()
    scene.clock.advance(Milliseconds.hour)
    #expect(try scene.sweep(.all).counts.newTransactions == 1)
    #expect(scene.calls.filter(\.isHistory).map(\.revision) == [nil, "old", nil])
  }

  @Test func aPageThatFailsStartsOverWithoutLosingOrDoubling() throws {
    let requests = Counter()
    let scene = try ServerAPIScene { call, authority in
      guard call.isHistory else { return ServerAPIAnswer.noStatuses }
      guard call.revision == "1" else {
        return ServerAPIAnswer.history([Self.row(1)], by: authority, revision: "1", hasMore: true)
      }
      return requests.next() == 1
        ? .answer("", status: 500) : ServerAPIAnswer.history([Self.row(2)], by: authority, revision: "2")
    }
    try scene.add(ServerAPIScene.customer)
    let summary = try scene.sweep(tries: 3)
    #expect(summary.counts.newTransactions == 2 && summary.counts.retried == 1)
    #expect(try scene.chain()?.lines.first?.transactions.count == 2)
  }

  @Test func aRefusedKeyStopsTheAppAndNamesKeyAndClock() throws {
    let scene = try ServerAPIScene { _, _ in
      .answer("Unauthenticated", status: 401, headers: ["Date: Tue, 24 Nov 2026 00:00:00 GMT"])
    }
    for number in 1...9 { try scene.add("200000000000000\(number)") }
    let apple = try #require(Instant(parsing: "2026-11-24T00:00:00Z"))
    let summary = try scene.sweep(key: scene.key { apple + 10 * Milliseconds.minute })
    #expect(summary.stopped == .keyRefused && summary.counts.givenBack == 9)
    let key = StoppedApp.RefusedKey(keyID: "KEY1", clockAheadMs: 10 * Milliseconds.minute)
    #expect(
      summary.stoppedApps == [
        StoppedApp(bundleID: ServerAPIScene.app, reason: .keyRefused, refusedKey: key)
      ])
    #expect(try scene.store.sweeps(limit: 1, at: scene.clock.now).first?.stoppedApps == summary.stoppedApps)
    #expect(scene.calls.contains { $0.isSandbox }, "an app without a release is answered there")
  }

  @Test func countsReceiptsSweptBeforeTheKeyWasRefused() throws {
    let scene = try ServerAPIScene { call, authority in
      ["1", "2", "3"].contains(call.customer.suffix(1))
        ? Self.ordinary(call, authority) : .answer("Unauthenticated", status: 401)
    }
    for number in 1...9 { try scene.add("200000000000000\(number)") }
    let summary = try scene.sweep(options: { $0.concurrency = 1 })
    #expect(summary.stopped == .keyRefused && summary.counts.done == 3)
  }

  @Test func anAppWithoutAReleaseIsAskedAboutInTheSandbox() throws {
    let scene = try ServerAPIScene { call, authority in
      call.isSandbox ? Self.ordinary(call, authority) : .answer("Unauthenticated", status: 401)
    }
    try scene.add(ServerAPIScene.customer)
    let summary = try scene.sweep()
    #expect(summary.stopped == nil && summary.counts.validated == 1 && summary.counts.rerouted == 1)
  }

  @Test func theRetryAfterOfTheServerAPIIsMillisecondsOfItsOwnClock() throws {
    let date = "Date: Tue, 24 Nov 2026 00:00:00 GMT"
    let apple = try #require(Instant(parsing: "2026-11-24T00:00:00Z"))
    let until = apple + 40 * Milliseconds.minute
    let scene = try ServerAPIScene { _, _ in
      ServerAPIAnswer.error(4_290_000, headers: [date, "Retry-After: \(until.rawValue)"])
    }
    try scene.add(ServerAPIScene.customer)
    let summary = try scene.sweep()
    #expect(summary.stopped == .unavailable)
    #expect(summary.notBeforeMs == scene.clock.now + 40 * Milliseconds.minute)
  }

  @Test func tokensAreUsedAgainAndRenewedBeforeTheirEnd() throws {
    let scene = try ServerAPIScene { call, authority in Self.ordinary(call, authority) }
    try scene.add(ServerAPIScene.customer)
    let now = Mutex(ServerAPIScene.realNow)
    let key = try scene.key { now.withLock { $0 } }
    _ = try scene.sweep(key: key)
    _ = try scene.sweep(.all, key: key)
    now.withLock { $0 = $0 + 51 * Milliseconds.minute }
    _ = try scene.sweep(.all, key: key)
    let tokens = scene.calls.map(\.token)
    #expect(Set(tokens).count == 2 && tokens.count == 6)
    let claims = try #require(Self.claims(of: tokens[0]))
    #expect(claims.bid == ServerAPIScene.app.rawValue && claims.iss == "issuer")
    #expect(claims.aud == "appstoreconnect-v1" && claims.exp - claims.iat <= 3600)
    #expect(claims.iat * 1000 <= ServerAPIScene.realNow.rawValue - 30_000, "dated back")
  }

  struct Claims: Decodable { var iss, aud, bid: String, iat, exp: Int64 }

  private static func claims(of token: String) -> Claims? {
    CompactJWS.bytes(of: token.split(separator: ".")[1])
      .flatMap { try? JSONDecoder().decode(Claims.self, from: Data($0)) }
  }

  @Test func limitsHoldForEachAppAndAddress() throws {
    var limits = RequestLimits(production: 50, sandbox: 5)
    let history = RequestLimits.Subject(app: ServerAPIScene.app, isHistory: true, environment: .production)
    var statuses = history
    statuses.isHistory = false
    var begun = 0
    for now in Int64(0)..<1000 where limits.wait(for: history, at: now) == nil {
      limits.begin(history, at: now)
      begun += 1
    }
    #expect((45...50).contains(begun))
    #expect(limits.wait(for: statuses, at: 999) == nil)
    var sandbox = history
    sandbox.environment = .sandbox
    limits.begin(sandbox, at: 0)
    limits.begin(sandbox, at: 0)
    #expect(limits.wait(for: sandbox, at: 1) != nil)
  }

  @Test func aStoredReceiptIsAskedAboutByItsId() throws {
    let scene = try ServerAPIScene { call, authority in
      call.path.hasSuffix("verifyReceipt")
        ? CannedReply.answer(#"{"status":21003}"#)
        : call.isHistory
          ? ServerAPIAnswer.history([Self.row(chain: call.customer)], by: authority, revision: "1")
          : ServerAPIAnswer.noStatuses
    }
    let receipt = ImportedReceipt(
      data: CannedReceipt.data(ServerAPIScene.customer, app: ServerAPIScene.app.rawValue),
      bundleID: ServerAPIScene.app)
    _ = try scene.store.add([receipt], at: scene.clock.now)
    let summary = try scene.sweep(secret: "secret")
    #expect(summary.counts.validated == 1)
    #expect(scene.calls.allSatisfy { $0.path.contains("/inApps/") && !$0.customer.isEmpty }, "\(scene.calls)")
  }

  @Test(arguments: [nil, "secret"]) func aReceiptWithoutAnIdFallsBackToVerifyReceipt(_ secret: String?) throws
  {
    let scene = try ServerAPIScene { _, _ in .answer(#"{"status":21003}"#) }
    let receipt = ImportedReceipt(
      data: ReceiptData(trusted: "MIIBAAAA"), bundleID: ServerAPIScene.app)
    _ = try scene.store.add([receipt], at: scene.clock.now)
    let summary = try scene.sweep(secret: secret)
    #expect(summary.counts.done == 1)
    #expect(scene.calls.map(\.path) == (secret == nil ? [] : ["/verifyReceipt"]))
    if secret == nil {
      #expect(try scene.reasons().contains { $0.contains("contains no transaction id") })
    }
  }
}

extension ServerAPISweepTests {
  /// The newest page has only the new chain, which only the full history links to the customer.
  @Test func aNewChainIsVerifiedByTheFullHistory() throws {
    let hasSubscribed = Mutex(false)
    let scene = try ServerAPIScene { call, authority in
      guard call.isHistory else { return ServerAPIAnswer.noStatuses }
      let old = Self.row(1)
      let new = Self.row(2, chain: "2000000000000444")
      guard hasSubscribed.withLock({ $0 }) else {
        return ServerAPIAnswer.history([old], by: authority, revision: "1")
      }
      return ServerAPIAnswer.history(
        call.revision == nil ? [old, new] : [new], by: authority, revision: "2")
    }
    try scene.add(ServerAPIScene.customer)
    _ = try scene.sweep()
    hasSubscribed.withLock { $0 = true }
    scene.clock.advance(Milliseconds.hour)
    #expect(try scene.sweep(.all).counts.newTransactions == 1)
    #expect(try scene.chain("2000000000000444") != nil)
    #expect(scene.calls.filter(\.isHistory).map(\.revision) == [nil, "1", nil])
  }
}
