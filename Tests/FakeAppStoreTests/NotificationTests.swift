import FakeAppStore
import Subscriptions
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct NotificationTests {
  /// Runs a server that posts notifications to a second one, which answers 200.
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
