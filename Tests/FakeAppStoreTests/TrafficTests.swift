import FakeAppStore
import Subscriptions
import Testing

@Suite(.timeLimit(.minutes(15))) struct TrafficTests {
  private let ann = Town.population[3]
  private let bob = Town.population[4]

  @Test func countsWhatComes() async throws {
    try await withServer { server, port in
      let receipt = Town.store.receipt(of: ann, at: Town.now).receipt.base64
      for body in [
        Town.question(ann), Town.body(receipt, excludingOld: true), Town.body(receipt, password: "guess"),
        Town.body(receipt, password: nil), Array("{}".utf8),
      ] {
        _ = await HTTPExchange.post(body, to: "/verifyReceipt", port: port)
      }
      _ = await HTTPExchange.post([], to: "/nothing/here", port: port)
      let traffic = server.traffic
      #expect(server.requestCount == 6 && traffic.requests == 6 && traffic.connections == 6)
      #expect(traffic.requests(about: ann) == 4 && traffic.requests(about: bob) == 0)
      #expect(traffic.requests(about: FakeCatalog.bundleID) == 4)
      #expect(traffic.requestsExcludingOld == 1)
      #expect(traffic.requests(bearing: FakeStore.defaultSharedSecret) == 2)
      #expect(traffic.requests(bearing: "guess") == 1 && traffic.requests(bearing: "other") == 0)
      #expect(traffic.mostAtOnce == 1 && traffic.mostAtOnceAboutOneReceipt == 1)
      #expect(traffic.faults.isEmpty && traffic.requestsElsewhere == 0)
    }
  }

  @Test("A receipt that two ask about at once is noticed, in whichever version they have it")
  func noticesTwoAtOnce() async throws {
    let old = Town.store.receipt(of: ann, at: Town.now - 200 * Milliseconds.day).receipt.base64
    try await withServer({ $0.latency = 50 }) { server, port in
      while server.traffic.mostAtOnceAboutOneReceipt < 2 {
        async let first = HTTPExchange.post(Town.question(ann), to: "/verifyReceipt", port: port)
        async let second = HTTPExchange.post(Town.body(old), to: "/verifyReceipt", port: port)
        _ = await (first, second)
      }
      #expect(server.traffic.mostAtOnce(about: ann) == 2 && server.traffic.mostAtOnce(about: bob) == 0)
    }
  }

  @Test("Two receipts asked about at once are no receipt asked about twice at once")
  func tellsReceiptsApart() async throws {
    try await withServer({ $0.latency = 50 }) { server, port in
      while server.traffic.mostAtOnce < 2 {
        async let first = HTTPExchange.post(Town.question(ann), to: "/verifyReceipt", port: port)
        async let second = HTTPExchange.post(Town.question(bob), to: "/verifyReceipt", port: port)
        _ = await (first, second)
      }
      #expect(server.traffic.mostAtOnceAboutOneReceipt == 1)
    }
  }

  @Test func aFollowedRedirectIsCountedAndAnswered() async throws {
    try await withServer(faults: [FaultRate(.page(.temporaryRedirect), rate: 1)]) { server, port in
      let exchange = await HTTPExchange.post(Town.question(ann), to: "/verifyReceipt", port: port)
      let location = try #require(exchange.headers["location"])
      #expect(server.traffic.requestsElsewhere == 0)
      let followed = await HTTPExchange.post(Town.question(ann), to: location, port: port)
      #expect(followed.body == Town.rightAnswer(ann))
      #expect(server.traffic.requestsElsewhere == 1)
    }
  }

  @Test func redirectsLeadWhereTheyAreTold() async throws {
    try await withServer(
      faults: [FaultRate(.page(.found), rate: 1)],
      { $0.faultSettings.redirectTarget = "http://127.0.0.1:9/verifyReceipt" }
    ) { _, port in
      let exchange = await HTTPExchange.post(Town.question(ann), to: "/verifyReceipt", port: port)
      #expect(exchange.headers["location"] == "http://127.0.0.1:9/verifyReceipt")
    }
  }

  @Test(
    "Who hangs up while the answer does not come holds nothing",
    arguments: [Fault.drip, .gigantic, .giganticAnnounced])
  func whoLeavesHoldsNothing(_ fault: Fault) async throws {
    try await withServer(
      faults: [FaultRate(fault, rate: 1)],
      {
        // Longer than the time limit of this suite.
        $0.faultSettings.patience = 600_000
        $0.faultSettings.dripInterval = 10
        $0.faultSettings.giganticSize = 1 << 40
      }
    ) { server, port in
      let exchange = await HTTPExchange.post(
        Town.question(ann), to: "/verifyReceipt", port: port, most: 1)
      #expect(exchange.end == .left && exchange.status == 200)
      server.stop()
      await server.waitUntilStopped()
    }
  }

  @Test("A server that stops waits for nobody who only waits himself")
  func stoppingEndsStalls() async throws {
    try await withServer(
      faults: [FaultRate(.stall, rate: 1)], { $0.faultSettings.patience = 600_000 }
    ) { server, port in
      async let first = HTTPExchange.post(Town.question(ann), to: "/verifyReceipt", port: port)
      async let second = HTTPExchange.post(Town.question(bob), to: "/verifyReceipt", port: port)
      async let third = HTTPExchange.post(Array("{}".utf8), to: "/verifyReceipt", port: port)
      // Yielding instead would keep the threads from those who serve.
      while server.traffic.faults[.stall] ?? 0 < 3 { try await Task.sleep(for: .milliseconds(1)) }
      server.stop()
      await server.waitUntilStopped()
      #expect(await [first, second, third].allSatisfy { !$0.isWhole })
    }
  }
}
