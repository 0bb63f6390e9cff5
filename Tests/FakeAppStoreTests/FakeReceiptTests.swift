import AppStore
import FakeAppStore
import Subscriptions
import TestSupport
import Testing

@Suite struct FakeReceiptTests {
  @Test func looksLikeOneOfApples() throws {
    for person in Town.people.prefix(200) {
      let handed = Town.store.receipt(of: person.subscriber, at: Town.now)
      let text = handed.receipt.base64
      #expect(ReceiptData(base64: text) == handed.receipt)
      if person.subscriber.kind == .legacy {
        #expect(text.hasPrefix("ewo"))
      } else {
        #expect(text.hasPrefix("MII") && (4_000...20_000).contains(text.utf8.count))
      }
    }
  }

  @Test func isAnsweredWithItsOwner() throws {
    for kind in Subscriber.Kind.allCases {
      let person = Person(Town.first(kind), at: Town.now)
      let response = try Town.ask(person.subscriber)
      let ids = Set((person.history.transactions + person.history.oneTime).map(\.transactionID))
      let answered = try #require(response.answer, "\(kind)").transactions.map(\.transactionID)
      #expect(!answered.isEmpty && answered.allSatisfy(ids.contains), "\(kind)")
    }
  }

  @Test func anEarlierReceiptIsAsGood() throws {
    let subscriber = Town.first(.paying)
    let old = Town.store.receipt(of: subscriber, at: Town.now - 300 * Milliseconds.day).receipt
    let later = Town.now + 100 * Milliseconds.day
    let first = Town.answer(old.base64, at: later)
    #expect(first.status == 0)
    let latest = try #require(VerifyReceiptResponse(decoding: first.body).answer?.latestReceipt)
    #expect(latest != old)
    #expect(Town.answer(latest.base64, at: later) == first)
  }

  struct Damage: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let status: Int
    let harm: @Sendable (String) -> String

    init(_ name: String, _ status: Int, _ harm: @escaping @Sendable (String) -> String) {
      (testDescription, self.status, self.harm) = (name, status, harm)
    }

    static func replacing(_ offset: Int) -> @Sendable (String) -> String {
      { text in
        var bytes = Array(text.utf8)
        let place = offset >= 0 ? offset : bytes.count + offset
        bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  @Test(
    arguments: [
      Damage("untouched", 0) { $0 }, Damage("nothing", 21002) { _ in "" },
      Damage("words", 21002) { _ in "no receipt at all" },
      Damage("base64 of something else", 21002) { _ in "aGVsbG8sIHdvcmxkIQ==" },
      Damage("a signed transaction of StoreKit 2", 21002) { _ in "eyJhbGciOiJFUzI1NiJ9.eyJ4IjoxfQ.c2ln" },
      Damage("cut in half", 21002) { String($0.prefix($0.utf8.count / 8 * 4)) },
      Damage("a line break in it", 21002) { $0.prefix(76) + "\n" + $0.dropFirst(76) },
      Damage("a changed payload", 21003, Damage.replacing(200)),
      Damage("a changed certificate", 21003, Damage.replacing(3000)),
      Damage("a changed owner", 21003, Damage.replacing(-330)),
      Damage("a changed end", 21003, Damage.replacing(-9)),
      Damage("a damaged iOS 6 receipt", 21003) { _ in
        let text = Town.store.receipt(of: Town.first(.legacy), at: Town.now).receipt.base64
        return Damage.replacing(40)(text)
      },
    ])
  func damaged(_ damage: Damage) {
    let receipt = Town.store.receipt(of: Town.first(.paying), at: Town.now).receipt.base64
    #expect(Town.answer(damage.harm(receipt)).status == damage.status)
  }

  @Test("Receipts of other populations are not authentic", arguments: [(2, 5000), (1, 1)] as [(UInt64, Int)])
  func foreign(seed: UInt64, subscribers: Int) {
    let subscriber = Town.population[17]
    let receipt = Town.store.receipt(of: subscriber, at: Town.now).receipt.base64
    let other = FakeStore(
      population: FakePopulation(subscribers: subscribers, seed: seed, founded: Town.now))
    #expect(other.answer(to: Town.body(receipt), endpoint: .production, at: Town.now).status == 21003)
  }

  @Test func paddingMakesItLonger() {
    let store = FakeStore(population: Town.population, receiptPadding: 30_000)
    let handed = store.receipt(of: Town.first(.paying), at: Town.now)
    #expect(handed.receipt.base64.utf8.count > 44_000)
    #expect(
      store.answer(to: Town.body(handed.receipt.base64), endpoint: .production, at: Town.now).status == 0)
  }
}

extension Town {
  static func body(
    _ receipt: String, password: String? = FakeStore.defaultSharedSecret, excludingOld: Bool = false
  )
    -> [UInt8]
  {
    (try? VerifyReceiptBody(receipt, password: password, excludingOld: excludingOld).json) ?? []
  }

  static func answer(_ receipt: String, at t: Instant = now) -> FakeAnswer {
    store.answer(to: body(receipt), endpoint: .production, at: t)
  }

  static func ask(_ subscriber: Subscriber, excludingOld: Bool = false) throws -> VerifyReceiptResponse {
    let receipt = store.receipt(of: subscriber, at: now).receipt.base64
    let endpoint: FakeEndpoint = subscriber.environment == .sandbox ? .sandbox : .production
    let answer = store.answer(
      to: body(receipt, excludingOld: excludingOld), endpoint: endpoint, at: now)
    return try VerifyReceiptResponse(decoding: answer.body)
  }
}
