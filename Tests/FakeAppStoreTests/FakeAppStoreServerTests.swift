import AppStore
import FakeAppStore
import Subscriptions
import TestSupport
import Testing

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
      #expect(server.traffic.requests == 1)
      #expect(await HTTPExchange.post([], to: "/", port: port).status == 404)
    }
  }

  @Test("exclude-old-transactions leaves the newest row of each chain")
  func excludesOld() throws {
    let people = Town.people.prefix(150).filter {
      $0.subscriber.kind == .paying && $0.subscriber.accountGoneFrom == nil
        && $0.history.transactions.count > 2
    }
    #expect(people.count > 20)
    for (subscriber, history) in people {
      let body = Town.body(Town.receipt(of: subscriber), excludingOld: true)
      let response = try VerifyReceiptResponse(decoding: Town.answer(to: body).body)
      let answer = try #require(response.answer)
      let rows = answer.transactions.filter { !answer.lagging.contains($0.transactionID) }
      let chains = Dictionary(grouping: history.transactions, by: \.originalTransactionID).values
      #expect(rows.count == chains.count)
      #expect(Set(rows.map(\.expiresDate)) == Set(chains.map { $0.compactMap(\.expiresDate).max() }))
    }
  }
}
