import FakeAppStore
import Subscriptions
import Testing

@Suite(.timeLimit(.minutes(5))) struct NotificationHistoryTests {
  private func withScene(_ body: (ServerAPIScene) async throws -> Void) async throws {
    try await withServer({ $0.subscribers = 200 }) { server, port in
      try await body(try ServerAPIScene(server, port))
    }
  }

  private static func span(_ days: Int64, _ more: String = "") -> String {
    let start = Town.now - days * Milliseconds.day
    return "{\"startDate\":\(start.rawValue),\"endDate\":\(Town.now.rawValue)\(more)}"
  }

  @Test("Without an address the past is told as though there had been one") func past() async throws {
    try await withScene { scene in
      let all = try await scene.notifications(Self.span(170))
      #expect(all.count > 200 && Set(all.map(\.notification)).count == all.count)
      #expect(all.map(\.notification.signedDate) == all.map(\.notification.signedDate).sorted())
      #expect(all.allSatisfy { $0.notification.data.environment == "Production" && !$0.results.isEmpty })
      let failures = all.filter { $0.results.last != "SUCCESS" }
      #expect(!failures.isEmpty && failures.count < all.count / 10)
      let only = try await scene.notifications(Self.span(170, ",\"onlyFailures\":true"))
      #expect(only.map(\.notification) == failures.map(\.notification))
      let renewals = try await scene.notifications(
        Self.span(170, ",\"notificationType\":\"DID_RENEW\",\"notificationSubtype\":\"BILLING_RECOVERY\""))
      #expect(
        renewals.map(\.notification)
          == all.map(\.notification).filter { $0.kind == "DID_RENEW BILLING_RECOVERY" })
      let text = try #require(all.first?.notification.data.signedTransactionInfo)
      let one = try scene.transaction(text)
      let customers = try await scene.notifications(
        Self.span(170, ",\"transactionId\":\"\(one.transactionID)\""))
      #expect(customers.contains { $0.notification == all[0].notification } && customers.count < all.count)
      #expect(Set(customers.map(\.notification)).isSubset(of: all.map(\.notification)))
      #expect(try await !scene.notifications(Self.span(29), .sandbox).isEmpty)
    }
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let body: String
    let code: Int64
    var token: String?
    var environment = StoreEnvironment.production
    var testDescription: String { "\(body) \(token ?? "") \(code)" }
  }

  @Test(
    arguments: [
      Refusal(body: "", code: 4_000_000), Refusal(body: "[]", code: 4_000_000),
      Refusal(body: "{\"startDate\":\"a\"}", code: 4_000_000), Refusal(body: "{}", code: 4_000_015),
      Refusal(body: "{\"startDate\":1781000000000}", code: 4_000_016),
      Refusal(body: "{\"startDate\":1781000000000,\"endDate\":1780000000000}", code: 4_000_013),
      Refusal(body: span(181), code: 4_000_012),
      Refusal(body: span(31), code: 4_000_012, environment: .sandbox),
      Refusal(body: span(9, ",\"notificationType\":\"NEWS\""), code: 4_000_018),
      Refusal(
        body: span(9, ",\"notificationType\":\"REFUND\",\"notificationSubtype\":\"UPGRADE\""), code: 4_000_018
      ),
      Refusal(body: span(9, ",\"notificationSubtype\":\"UPGRADE\""), code: 4_000_018),
      Refusal(
        body: span(9, ",\"notificationType\":\"REFUND\",\"transactionId\":\"120000000000000\""),
        code: 4_000_019),
      Refusal(body: span(9, ",\"transactionId\":\"x\""), code: 4_000_006),
      Refusal(body: span(9), code: 4_000_014, token: "x"),
      Refusal(body: span(9), code: 4_000_014, token: "1_2_3"),
    ])
  func refuses(_ refusal: Refusal) async throws {
    try await withScene { scene in
      let query = refusal.token.map { "?paginationToken=\($0)" } ?? ""
      let exchange = await scene.get(
        "/inApps/v1/notifications/history" + query, refusal.environment, method: "POST", body: refusal.body)
      #expect(exchange.errorCode == refusal.code)
    }
  }
}
