import AppStore
import Dispatch
import FakeAppStore
import Subscriptions
import TestSupport
import Testing

/// Apple's statuses and the HTTP that sweeps rely on.
@Suite(.timeLimit(.minutes(10))) struct FakeAppStoreServerTests {
  struct Question: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let status: Int
    var kind = Subscriber.Kind.paying
    var endpoint = FakeEndpoint.production
    var password: String? = FakeStore.defaultSharedSecret
    var method = "POST"
    var body: [UInt8]?

    var bytes: [UInt8] {
      body ?? Town.body(Town.receipt(of: Town.first(kind)), password: password)
    }

    /// The question about the first subscriber for whom a condition holds.
    static func about(_ holds: (Subscriber, SubscriberHistory) -> Bool) -> [UInt8] {
      Town.people.first(where: holds).map { Town.question($0.subscriber) } ?? []
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
      Question(
        testDescription: "an expired iOS 6 receipt", status: 21006,
        body: Question.about { subscriber, history in
          subscriber.kind == .legacy
            && history.transactions.last.map {
              $0.expiresDate ?? Town.now < Town.now && $0.cancellationDate == nil
            } ?? false
        }),
      Question(testDescription: "a sandbox receipt in production", status: 21007, kind: .tester),
      Question(testDescription: "a production receipt at the sandbox", status: 21008, endpoint: .sandbox),
      Question(
        testDescription: "a deleted account", status: 21010,
        body: Question.about { subscriber, _ in subscriber.accountGoneFrom.map { $0 <= Town.now } ?? false }),
    ])
  func answersWithAppleStatus(_ question: Question) async throws {
    try await withServer { server, port in
      let exchange = await HTTPExchange.post(
        question.bytes, to: question.endpoint.rawValue, port: port, method: question.method)
      #expect(exchange.status == 200 && exchange.appleStatus == question.status)
      #expect(server.requestCount == 1)
      #expect(await HTTPExchange.post([], to: "/", port: port).status == 404)
    }
  }

  @Test("Answers are compressed for clients that ask, unless switched off", arguments: [true, false])
  func compresses(_ compresses: Bool) async throws {
    try await withServer({ $0.compresses = compresses }) { server, port in
      let plain = await HTTPExchange.post(Town.question(), port: port)
      #expect(plain.body == Town.answer().body && plain.headers["content-encoding"] == nil)
      let asked = await HTTPExchange.post(
        Town.question(), port: port, headers: ["Accept-Encoding: deflate, gzip"])
      #expect(asked.isWhole && (asked.headers["content-encoding"] == "gzip") == compresses)
      #expect(asked.body.starts(with: [0x1F, 0x8B]) == compresses)
      #expect(server.traffic.answersCompressed == (compresses ? 1 : 0))
    }
  }

  // MARK: What is counted

  private static let (ann, bob) = (Town.population[3], Town.population[4])

  @Test func traffic() async throws {
    let (ann, receipt) = (Self.ann, Town.receipt(of: Self.ann))
    try await withServer(faults: [FaultRate(.status(302), rate: 1)]) { server, port in
      let moved = await HTTPExchange.post(Town.question(ann), port: port)
      server.setFaults([])
      #expect(server.traffic.requestsElsewhere == 0)
      let followed = await HTTPExchange.post(
        Town.question(ann), to: try #require(moved.headers["location"]), port: port)
      #expect(followed.body == Town.answer(to: Town.question(ann)).body)
      for body in [
        Town.body(receipt, excludingOld: true), Town.body(receipt, password: "guess"),
        Town.body(receipt, password: nil), Array("{}".utf8),
      ] {
        _ = await HTTPExchange.post(body, port: port)
      }
      _ = await HTTPExchange.post([], to: "/nothing/here", port: port)
      let traffic = server.traffic
      #expect(server.requestCount == 7 && traffic.requests == 7 && traffic.connections == 7)
      #expect(traffic.requests(about: ann) == 5 && traffic.requests(about: Self.bob) == 0)
      #expect(traffic.requests(about: FakeCatalog.bundleID) == 5 && traffic.requestsExcludingOld == 1)
      #expect(traffic.requests(bearing: FakeStore.defaultSharedSecret) == 3)
      #expect(traffic.requests(bearing: "guess") == 1 && traffic.requests(bearing: "other") == 0)
      #expect(traffic.mostAtOnce == 1 && traffic.mostAtOnceAboutOneReceipt == 1)
      #expect(traffic.requestsElsewhere == 1)
    }
  }

  @Test(
    "Two requests at once, about one receipt in two versions or about two receipts", arguments: [true, false])
  func atOnce(_ isOneReceipt: Bool) async throws {
    let (ann, bob) = (Self.ann, Self.bob)
    let old = Town.body(Town.receipt(of: ann, at: Town.now - 200 * Milliseconds.day))
    let other = isOneReceipt ? old : Town.question(bob)
    try await withServer({ $0.latency = 200 }) { server, port in
      while server.traffic.mostAtOnce < 2 {
        async let first = HTTPExchange.post(Town.question(ann), port: port)
        async let second = HTTPExchange.post(other, port: port)
        _ = await (first, second)
      }
      let traffic = server.traffic
      #expect(traffic.mostAtOnceAboutOneReceipt == (isOneReceipt ? 2 : 1))
      #expect(traffic.mostAtOnce(about: bob) == (isOneReceipt ? 0 : 1))
    }
  }

  // MARK: Starting and stopping

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
    #expect(throws: FakeAppStoreProblem.self) { try server.start() }
    server.stop()
    await server.waitUntilStopped()
    #expect(await HTTPExchange.post([], to: "/", port: open).status == nil)
  }
}

extension FakeAppStoreServer {
  /// The blocking `start`, which asynchronous code cannot name.
  fileprivate func startForSynchronousCaller() throws -> Int { try start() }
}
