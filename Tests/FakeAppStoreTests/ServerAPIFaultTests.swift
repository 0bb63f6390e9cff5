import AppStore
import FakeAppStore
import Subscriptions
import Testing

/// What a client sees of the faults that the Server API can have.
@Suite(.timeLimit(.minutes(5))) struct ServerAPIFaultTests {
  private static let ann =
    Town.people.first {
      $0.history.transactions.count > 60 && $0.subscriber.accountGoneFrom == nil
        && $0.subscriber.environment == .production
    }?.subscriber ?? Town.first(.paying)

  private func seen(
    _ fault: Fault, _ body: (ServerAPIScene, HTTPExchange) throws -> Void
  ) async throws {
    try await withServer(
      faults: [FaultRate(fault, rate: 1)],
      {
        $0.faultSettings.patience = 100
        $0.faultSettings.slowness = 1
        $0.faultSettings.dripInterval = 1
        $0.faultSettings.giganticSize = 3 << 20
      }
    ) { server, port in
      let scene = try ServerAPIScene(server, port)
      let exchange = await scene.history(Self.ann)
      #expect(server.traffic.faults == [fault: 1])
      try body(scene, exchange)
      server.setFaults([])
      #expect(try scene.page(await scene.history(Self.ann)).signed.count == 20)
    }
  }

  /// How many of the page's rows are what they should be.
  private func right(_ scene: ServerAPIScene, _ exchange: HTTPExchange) throws -> (right: Int, all: Int) {
    let page = try scene.page(exchange)
    let known = Set(Self.ann.history(until: Town.now).transactions.map(\.transactionID))
    let rows = page.signed.compactMap { text -> SignedTransaction? in try? scene.verifier.read(text) }
    let own = rows.filter {
      $0.bundleID == FakeCatalog.bundleID && $0.signedAt == Town.now
        && (try? $0.transaction()).map { known.contains($0.transactionID) } ?? false
    }
    return (own.count, page.signed.count)
  }

  /// A negative number of rows is any.
  @Test(arguments: [
    (Fault.signature, 19, 20), (.signed(.cut), 19, 20), (.otherRoot, 0, 20), (.otherApp, 0, 20),
    (.stranger, 20, 23), (.clockAhead, 0, 20), (.emptyHistory, 0, 0), (.anotherReceipt, 0, -1),
    (.slow, 20, 20),
    (.chunked, 20, 20),
  ])
  func rows(_ fault: Fault, _ count: Int, _ all: Int) async throws {
    try await seen(fault) { scene, exchange in
      let seen = try right(scene, exchange)
      #expect(seen.right == count && (all < 0 ? seen.all > 0 : seen.all == all))
    }
  }

  @Test(arguments: [Fault.empty, .truncated, .deepNesting, .invalidUTF8, .wrongTypes])
  func areNoPages(_ fault: Fault) async throws {
    try await seen(fault) { scene, exchange in
      #expect(exchange.status == 200 && exchange.isWhole)
      #expect((try? scene.page(exchange))?.signed.isEmpty ?? true)
    }
  }

  @Test func outerNamesAreChanged() async throws {
    try await seen(.anotherBundle) { scene, exchange in
      let page = try scene.page(exchange)
      #expect(page.bundleID == "com.example.elsewhere.com.example.lumen")
    }
    try await seen(.wrongEnvironment) { scene, exchange in
      let page = try scene.page(exchange)
      #expect(page.environment == "Sandbox")
    }
    try await seen(.duplicateKeys) {
      #expect(
        String(decoding: $1.body, as: UTF8.self).components("\"signedTransactions\":") == 2, "\($0.port)")
    }
  }

  @Test(arguments: [
    ServerErrorFault.accountRetryable, .appRetryable, .originalTransactionRetryable, .rateLimit,
    .internalError,
    .internalRetryable,
  ])
  func errors(_ fault: ServerErrorFault) async throws {
    let begun = FakeClock.realNow.rawValue
    try await seen(.serverError(fault)) { _, exchange in
      #expect(exchange.errorCode == Int64(fault.rawValue))
      #expect((exchange.headers["retry-after"] != nil) == (fault == .rateLimit))
      let later = exchange.headers["retry-after"].flatMap(Int64.init) ?? FakeClock.realNow.rawValue
      #expect((begun...FakeClock.realNow.rawValue + 5000).contains(later))
    }
  }

  @Test func unauthenticated() async throws {
    try await seen(.unauthenticated) { _, exchange in
      #expect(exchange.status == 401 && exchange.answer == nil)
    }
  }

  @Test(arguments: PageFault.allCases) func pages(_ fault: PageFault) async throws {
    try await seen(.page(fault)) { _, exchange in
      #expect(exchange.status == fault.code && exchange.headers["content-type"] == "text/html")
    }
  }

  @Test(arguments: [TransportFault.reset, .resetMidBody, .cut, .stall, .drip])
  func transports(_ fault: TransportFault) async throws {
    try await seen(.transport(fault)) { #expect(!$1.isWhole, "\($0.port)") }
  }

  @Test("A revision, or a pagination token, is refused where there is one") func staleTokens() async throws {
    try await withServer(faults: [FaultRate(.staleRevision, rate: 1), FaultRate(.expiredToken, rate: 1)]) {
      server, port in
      let scene = try ServerAPIScene(server, port)
      let first = try scene.page(await scene.history(Self.ann))
      #expect(await scene.history(Self.ann, "?revision=\(first.revision)").errorCode == 4_000_005)
      #expect(await scene.statuses(Self.ann).status == 200)
      server.setFaults([FaultRate(.expiredToken, rate: 1)])
      let start = Town.now - 100 * Milliseconds.day
      let body = "{\"startDate\":\(start.rawValue),\"endDate\":\(Town.now.rawValue)}"
      let path = "/inApps/v1/notifications/history"
      let token = try #require(
        await scene.get(path, method: "POST", body: body).answer?["paginationToken"]?.text)
      let again = await scene.get("\(path)?paginationToken=\(token)", method: "POST", body: body)
      #expect(again.errorCode == 4_000_017)
    }
  }

  @Test func faultsOfReceiptsDoNotStrike() async throws {
    let faults = Fault.allCases.filter { !$0.isOfServerAPI }.map { FaultRate($0, rate: 1) }
    #expect(faults.count > 15)
    try await withServer(faults: faults) { server, port in
      let scene = try ServerAPIScene(server, port)
      let seen = try right(scene, await scene.history(Self.ann))
      #expect(seen.right == 20 && seen.all == 20)
      #expect(server.traffic.faults.isEmpty)
    }
  }

  @Test func trafficIsCounted() async throws {
    try await withServer { server, port in
      let scene = try ServerAPIScene(server, port)
      _ = await scene.history(Self.ann)
      _ = await scene.history(Self.ann)
      _ = await scene.statuses(Self.ann)
      #expect(server.traffic.serverAPIRequests == [.history: 2, .statuses: 1])
      #expect(server.traffic.requests(about: Self.ann) == 3 && server.traffic.requests == 3)
      let compressed = await scene.get(
        "/inApps/v2/history/\(Self.ann.anyID)", headers: ["Accept-Encoding: gzip"])
      #expect(compressed.headers["content-encoding"] == "gzip")
    }
  }
}

extension String {
  fileprivate func components(_ mark: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: mark) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
