import AppStore
import Dispatch
import FakeAppStore
import Subscriptions
import Testing

@Suite struct FakeAppStoreServerTests {
  struct Question: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let status: Int
    var kind = Subscriber.Kind.paying
    var endpoint = FakeEndpoint.production
    var password: String? = FakeStore.defaultSharedSecret
    var method = "POST"
    var body: [UInt8]?

    var bytes: [UInt8] {
      let receipt = Town.store.receipt(of: Town.first(kind), at: Town.now).receipt.base64
      return body ?? Town.body(receipt, password: password)
    }
  }

  @Test(
    arguments: [
      Question(testDescription: "a production receipt", status: 0),
      Question(
        testDescription: "a sandbox receipt at the sandbox", status: 0, kind: .tester, endpoint: .sandbox),
      Question(testDescription: "a family member's receipt", status: 0, kind: .familyMember),
      Question(testDescription: "a receipt without subscriptions", status: 0, kind: .shopper),
      Question(testDescription: "not POST", status: 21000, method: "GET"),
      Question(testDescription: "not JSON", status: 21000, body: Array("<xml/>".utf8)),
      Question(testDescription: "no receipt-data", status: 21002, body: Array("{}".utf8)),
      Question(testDescription: "a receipt that is none", status: 21002, body: Town.body("bm90aGluZw==")),
      Question(testDescription: "a wrong password", status: 21004, password: "guess"),
      Question(testDescription: "no password", status: 21004, password: nil),
      Question(testDescription: "a sandbox receipt in production", status: 21007, kind: .tester),
      Question(testDescription: "a production receipt at the sandbox", status: 21008, endpoint: .sandbox),
    ])
  func answersWithAppleStatus(_ question: Question) async throws {
    try await withServer { server, port in
      let exchange = await HTTPExchange.post(
        question.bytes, to: question.endpoint.rawValue, port: port, method: question.method)
      #expect(exchange.status == 200)
      #expect(exchange.appleStatus == question.status)
      #expect(server.requestCount == 1)
    }
  }

  @Test func deletedAccountsAndOldReceipts() async throws {
    let gone = try #require(
      Town.people.first { $0.subscriber.accountGoneFrom.map { $0 <= Town.now } ?? false })
    let expired = try #require(
      Town.people.first {
        $0.subscriber.kind == .legacy && $0.verdicts.contains { $0.state == .expired }
      })
    try await withServer { _, port in
      for (person, status) in [(gone, 21010), (expired, 21006)] {
        let receipt = Town.store.receipt(of: person.subscriber, at: Town.now).receipt.base64
        let exchange = await HTTPExchange.post(Town.body(receipt), to: "/verifyReceipt", port: port)
        #expect(exchange.status == 200)
        #expect(exchange.appleStatus == status)
      }
    }
  }

  @Test func thereIsNothingElse() async throws {
    try await withServer { _, port in
      #expect(await HTTPExchange.post([], to: "/", port: port).status == 404)
    }
  }

  @Test func theClockGoesOnAndBringsNews() async throws {
    try await withServer { server, port in
      let person = try #require(Town.purchased.first { $0.verdicts.contains { $0.state == .trial } })
      let body = Town.body(Town.store.receipt(of: person.subscriber, at: Town.now).receipt.base64)
      let before = await HTTPExchange.post(body, to: "/verifyReceipt", port: port)
      server.clock.advance(by: 60 * Milliseconds.day)
      let after = await HTTPExchange.post(body, to: "/verifyReceipt", port: port)
      let (old, new) = (
        try VerifyReceiptResponse(decoding: before.body), try VerifyReceiptResponse(decoding: after.body)
      )
      #expect(new.answer?.requestDate == Town.now + 60 * Milliseconds.day)
      #expect(
        old.answer?.renewalInfos != new.answer?.renewalInfos
          || old.answer?.transactions != new.answer?.transactions)
    }
  }

  @Test func startsWithoutAsyncAndStops() async throws {
    let server = FakeAppStoreServer(FakeAppStoreConfiguration(clock: FakeClock(fixedAt: Town.now)))
    let port = await withCheckedContinuation { continuation in
      DispatchQueue(label: "caller").async {
        continuation.resume(returning: try? server.startForSynchronousCaller())
      }
    }
    let open = try #require(port)
    #expect(server.url() == "http://127.0.0.1:\(open)/verifyReceipt")
    #expect(await HTTPExchange.post([], to: "/", port: open).status == 404)
    server.stop()
    await server.waitUntilStopped()
    #expect(await HTTPExchange.post([], to: "/", port: open).status == nil)
  }

  @Test func stoppingLetsRequestsFinish() async throws {
    let body = Question(testDescription: "", status: 0).bytes
    try await withServer({ $0.latency = 300 }) { server, port in
      async let exchange = HTTPExchange.post(body, to: "/verifyReceipt", port: port)
      while server.requestCount == 0 { await Task.yield() }
      server.stop()
      #expect(await exchange.appleStatus == 0)
      await server.waitUntilStopped()
    }
  }

  @Test func isStartedOnce() async throws {
    try await withServer { server, _ in
      await #expect(throws: FakeAppStoreProblem.self) { try await server.start() }
    }
  }

  @Test func aTakenPortIsToldInASentence() async throws {
    try await withServer { _, port in
      var configuration = FakeAppStoreConfiguration(clock: FakeClock(fixedAt: Town.now))
      configuration.port = port
      let second = FakeAppStoreServer(configuration)
      let error = await #expect(throws: FakeAppStoreProblem.self) { try await second.start() }
      #expect(error?.description.contains("127.0.0.1 port \(port)") == true)
    }
  }
}

extension FakeAppStoreServer {
  /// The blocking `start`, which asynchronous code cannot name.
  fileprivate func startForSynchronousCaller() throws -> Int { try start() }
}
