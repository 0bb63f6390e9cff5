import AppStore
import FakeAppStore
import Subscriptions
import Testing

@Suite(.timeLimit(.minutes(5))) struct NotificationPostingTests {
  /// A server that posts to a listener of one's own.
  private func withPosting(
    subscribers: Int = 300, _ body: (ServerAPIScene, NotificationListener, FakeClock) async throws -> Void
  ) async throws {
    let listener = try #require(NotificationListener())
    defer { listener.end() }
    let clock = FakeClock(fixedAt: Town.now)
    let address = try NotificationAddress(listener.url)
    try await withServer({
      ($0.clock, $0.subscribers, $0.notificationAddress) = (clock, subscribers, address)
    }) { server, port in
      try await body(try ServerAPIScene(server, port), listener, clock)
    }
  }

  private func pass(_ time: Int64, _ clock: FakeClock, _ scene: ServerAPIScene) async throws {
    clock.advance(by: time)
    while scene.server.notifiedUpTo.map({ $0 < clock.now }) ?? false {
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  @Test("What happens is posted as the clock passes it, and stands in the history")
  func posts() async throws {
    try await withPosting { scene, listener, clock in
      #expect(listener.bodies.isEmpty)
      try await pass(20 * Milliseconds.day, clock, scene)
      let posted = try listener.bodies.map(scene.notification)
      #expect(posted.count > 100 && Set(posted).count == posted.count)
      #expect(posted.map(\.signedDate) == posted.map(\.signedDate).sorted())
      for notification in posted {
        #expect(notification.version == "2.0" && notification.data.bundleId == "com.example.lumen")
        #expect((notification.data.appAppleId == nil) == (notification.data.environment == "Sandbox"))
        let row = try scene.transaction(try #require(notification.data.signedTransactionInfo))
        #expect(row.terms?.signedAt.rawValue == notification.signedDate)
      }
      let span = "\"startDate\":\(Town.now.rawValue),\"endDate\":\(clock.now.rawValue)"
      for environment in [StoreEnvironment.production, .sandbox] {
        let known = try await scene.notifications("{\(span)}", environment)
        #expect(known.allSatisfy { $0.results == ["SUCCESS"] })
        #expect(known.map(\.notification) == posted.filter { $0.data.environment == environment.rawValue })
      }
      #expect(scene.server.notificationAttempts == posted.count)
    }
  }

  @Test("The kinds of news of half a year") func kinds() async throws {
    try await withPosting(subscribers: 2500) { scene, listener, clock in
      try await pass(60 * Milliseconds.day, clock, scene)
      let kinds = Set(try listener.bodies.map { try scene.notification($0).kind })
      #expect(
        kinds.isSuperset(of: [
          "SUBSCRIBED INITIAL_BUY", "SUBSCRIBED RESUBSCRIBE", "DID_RENEW", "DID_RENEW BILLING_RECOVERY",
          "DID_CHANGE_RENEWAL_PREF UPGRADE", "DID_CHANGE_RENEWAL_PREF DOWNGRADE", "DID_CHANGE_RENEWAL_PREF",
          "DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED", "DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_ENABLED",
          "OFFER_REDEEMED", "DID_FAIL_TO_RENEW", "DID_FAIL_TO_RENEW GRACE_PERIOD", "GRACE_PERIOD_EXPIRED",
          "EXPIRED VOLUNTARY", "EXPIRED BILLING_RETRY", "EXPIRED PRICE_INCREASE",
          "EXPIRED PRODUCT_NOT_FOR_SALE", "PRICE_INCREASE PENDING", "PRICE_INCREASE ACCEPTED", "REFUND",
          "REVOKE",
        ]), "\(kinds.sorted())")
    }
  }

  @Test("What is not taken is posted again after 1, 12, 24, 48 and 72 hours, in production alone")
  func retries() async throws {
    try await withPosting { scene, listener, clock in
      listener.answer(with: 500)
      try await pass(Milliseconds.day, clock, scene)
      let first = try listener.bodies.map(scene.notification)
      let production = first.filter { $0.data.environment == "Production" }
      #expect(production.count > 5)
      clock.set(to: clock.now)
      var attempts = 1
      for hours in [1, 12, 24, 48, 72] as [Int64] {
        try await pass(hours * Milliseconds.hour - 1, clock, scene)
        #expect(try times(production[0], scene, listener) == attempts)
        try await pass(1, clock, scene)
        attempts += 1
        #expect(try times(production[0], scene, listener) == attempts)
      }
      try await pass(20 * Milliseconds.day, clock, scene)
      #expect(try times(production[0], scene, listener) == 6)
      if let tester = first.first(where: { $0.data.environment == "Sandbox" }) {
        #expect(try times(tester, scene, listener) == 1)
      }
      let span = "\"startDate\":\(Town.now.rawValue),\"endDate\":\(clock.now.rawValue)"
      let failed = try await scene.notifications("{\(span),\"onlyFailures\":true}")
      let known = failed.first { $0.notification == production[0] }
      #expect(known?.results == Array(repeating: "UNSUCCESSFUL_HTTP_RESPONSE_CODE", count: 6))
    }
  }

  @Test("What is taken at last is no failure any more") func recovers() async throws {
    try await withPosting { scene, listener, clock in
      listener.answer(with: nil)
      try await pass(Milliseconds.day, clock, scene)
      let first = try #require(
        try listener.bodies.map(scene.notification).first { $0.data.environment == "Production" })
      listener.answer(with: 206)
      try await pass(Milliseconds.hour, clock, scene)
      #expect(try times(first, scene, listener) == 2)
      let span = "\"startDate\":\(Town.now.rawValue),\"endDate\":\(clock.now.rawValue)"
      let known = try await scene.notifications("{\(span)}").first { $0.notification == first }
      #expect(known?.results == ["PREMATURE_CLOSE", "SUCCESS"])
      let failed = try await scene.notifications("{\(span),\"onlyFailures\":true}")
      #expect(!failed.contains { $0.notification == first })
    }
  }

  private func times(
    _ notification: PostedNotification, _ scene: ServerAPIScene, _ listener: NotificationListener
  ) throws -> Int {
    try listener.bodies.map(scene.notification).count { $0 == notification }
  }

  @Test func testNotifications() async throws {
    try await withPosting { scene, listener, clock in
      let asked = await scene.get("/inApps/v1/notifications/test", method: "POST")
      let token = try #require(asked.answer?["testNotificationToken"]?.text)
      while listener.bodies.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
      let posted = try scene.notification(listener.bodies[0])
      #expect(posted.kind == "TEST" && posted.data.signedTransactionInfo == nil)
      var results: [JSONValue] = []
      while results.isEmpty {
        let status = await scene.get("/inApps/v1/notifications/test/\(token)")
        results = status.answer?["sendAttempts"]?.list ?? []
        #expect(try scene.notification(status.body) == posted)
      }
      #expect(results.compactMap { $0["sendAttemptResult"]?.text } == ["SUCCESS"])
      let others: [(String, Int64)] = [("nonsense", 4_000_020), ("a_b", 4_040_008)]
      for (token, code) in others {
        #expect(await scene.get("/inApps/v1/notifications/test/\(token)").errorCode == code)
      }
    }
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      #expect(await scene.get("/inApps/v1/notifications/test", method: "POST").errorCode == 4_040_007)
    }
  }

  @Test(
    arguments: [
      ("http://127.0.0.1:80", true), ("http://localhost:8080/a?b=c", true), ("http://[::1]:99/x", true),
      ("http://127.0.0.1/x", true), ("https://127.0.0.1/x", false), ("http://example.com/", false),
      ("http://127.0.0.1.example.com/", false), ("http://127.0.0.1:0/", false), ("http://127.0.0.1:/", false),
      ("http://127.0.0.1:70000/", false), ("127.0.0.1:80", false), ("", false), ("http://", false),
      ("http://user@127.0.0.1/", false),
    ])
  func addresses(_ text: String, _ isTaken: Bool) {
    #expect(((try? NotificationAddress(text)) != nil) == isTaken)
  }
}
