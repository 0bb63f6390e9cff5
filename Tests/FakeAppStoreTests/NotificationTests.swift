import FakeAppStore
import Subscriptions
import TestSupport
import Testing

/// Notifications: their history, and their posting as the clock passes what happens.
@Suite(.timeLimit(.minutes(10))) struct NotificationTests {
  private func withScene(_ body: (ServerAPIScene) async throws -> Void) async throws {
    try await withServer({ $0.subscribers = 200 }) { server, port in
      try await body(try ServerAPIScene(server, port))
    }
  }

  @Test("Without an address the past is told as though there had been one") func past() async throws {
    try await withScene { scene in
      let span = ServerAPIScene.span(170)
      let all = try await scene.notifications(span)
      #expect(all.count > 200 && Set(all.map(\.notification)).count == all.count)
      #expect(all.map(\.notification.signedDate) == all.map(\.notification.signedDate).sorted())
      #expect(all.allSatisfy { $0.notification.data.environment == "Production" && !$0.results.isEmpty })
      for notification in all.prefix(50).map(\.notification) {
        #expect(notification.version == "2.0" && notification.data.bundleId == "com.example.lumen")
        let row = try scene.transaction(try #require(notification.data.signedTransactionInfo))
        #expect(row.terms?.signedAt.rawValue == notification.signedDate)
      }
      let failures = all.filter { $0.results.last != "SUCCESS" }
      #expect(!failures.isEmpty && failures.count < all.count / 10)
      let only = try await scene.notifications(ServerAPIScene.span(170, ",\"onlyFailures\":true"))
      #expect(only.map(\.notification) == failures.map(\.notification))
      let renewals = try await scene.notifications(
        ServerAPIScene.span(
          170, ",\"notificationType\":\"DID_RENEW\",\"notificationSubtype\":\"BILLING_RECOVERY\""))
      #expect(
        renewals.map(\.notification)
          == all.map(\.notification).filter { $0.kind == "DID_RENEW BILLING_RECOVERY" })
      let one = try scene.transaction(try #require(all[0].notification.data.signedTransactionInfo))
      let customers = try await scene.notifications(
        ServerAPIScene.span(170, ",\"transactionId\":\"\(one.transactionID)\""))
      #expect(customers.contains { $0.notification == all[0].notification } && customers.count < all.count)
      #expect(Set(customers.map(\.notification)).isSubset(of: all.map(\.notification)))
      let sandbox = try await scene.notifications(ServerAPIScene.span(29), .sandbox)
      #expect(!sandbox.isEmpty && sandbox.allSatisfy { $0.notification.data.appAppleId == nil })
    }
  }

  /// A server that posts to another one, which answers 200 to everything while it has no faults.
  private func withPosting(
    _ body: (ServerAPIScene, FakeAppStoreServer, FakeClock) async throws -> Void
  ) async throws {
    try await withServer { listener, _ in
      let clock = FakeClock(fixedAt: Town.now)
      let address = try NotificationAddress(listener.url() ?? "")
      try await withServer({
        ($0.clock, $0.subscribers, $0.notificationAddress) = (clock, 300, address)
      }) { server, port in
        try await body(try ServerAPIScene(server, port), listener, clock)
      }
    }
  }

  private func pass(_ time: Int64, _ clock: FakeClock, _ scene: ServerAPIScene) async throws {
    clock.advance(by: time)
    while scene.server.notifiedUpTo.map({ $0 < clock.now }) ?? false {
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  @Test("What happens is posted as the clock passes it, again after a failure, and stands in the history")
  func posts() async throws {
    try await withPosting { scene, listener, clock in
      #expect(listener.requestCount == 0)
      listener.setFaults([FaultRate(.reset, rate: 1)])
      try await pass(Milliseconds.day, clock, scene)
      listener.setFaults([])
      try await pass(19 * Milliseconds.day, clock, scene)
      let span = { (more: String) in ServerAPIScene.span(Town.now, Town.now + 20 * Milliseconds.day, more) }
      let known = try await scene.notifications(span(""))
      let sandbox = try await scene.notifications(span(""), .sandbox)
      #expect(known.count > 50)
      for (notification, results) in known {
        let isEarly = notification.signedDate <= (Town.now + Milliseconds.day).rawValue
        #expect(results == (isEarly ? ["PREMATURE_CLOSE", "SUCCESS"] : ["SUCCESS"]))
      }
      #expect(try await scene.notifications(span(",\"onlyFailures\":true")).isEmpty)
      let attempts = (known + sandbox).map(\.results.count).reduce(0, +)
      #expect(scene.server.notificationAttempts == attempts && listener.requestCount == attempts)
    }
  }
}
