import AppStore
import FakeAppStore
import Subscriptions
import Testing

@Suite struct FakeReceiptTests {
  @Test(
    "A receipt looks like one of Apple's, and names its app and what was bought",
    arguments: Subscriber.Kind.allCases)
  func contents(_ kind: Subscriber.Kind) throws {
    let subscriber = Town.first(kind)
    let receipt = Town.store.receipt(of: subscriber, at: Town.now).receipt
    #expect(receipt.base64.hasPrefix(kind == .legacy ? "ewo" : "MII"))
    #expect(kind == .legacy || (4_000...20_000).contains(receipt.base64.utf8.count))
    let found = try #require(ReceiptContents(receipt))
    let bought = subscriber.history(until: Town.now).all
    let type = subscriber.environment == .sandbox ? "ProductionSandbox" : "Production"
    #expect(found.bundleID == subscriber.bundleID && (kind == .legacy || found.receiptType == type))
    #expect(!found.transactionIDs.isEmpty)
    #expect(found.transactionIDs.isSubset(of: bought.map(\.transactionID)))
    #expect(found.originalTransactionIDs.isSubset(of: bought.map(\.originalTransactionID)))
  }

  @Test func anEarlierReceiptIsAsGood() throws {
    let subscriber = Town.first(.paying)
    let old = Town.store.receipt(of: subscriber, at: Town.now - 300 * Milliseconds.day).receipt
    let later = Town.now + 100 * Milliseconds.day
    let ask = { (receipt: ReceiptData) in
      Town.store.answer(to: Town.body(receipt.base64), endpoint: .production, at: later)
    }
    let first = ask(old)
    let latest = try #require(VerifyReceiptResponse(decoding: first.body).answer?.latestReceipt)
    #expect(first.status == 0 && latest != old)
    #expect(ask(latest) == first)
  }

  struct Damage: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let status: Int
    let harm: @Sendable (String) -> String

    init(_ name: String, _ status: Int, _ harm: @escaping @Sendable (String) -> String) {
      (testDescription, self.status, self.harm) = (name, status, harm)
    }

    /// Changes one byte; a negative place counts from the end.
    static func changing(_ place: Int) -> @Sendable (String) -> String {
      { text in
        var bytes = Array(text.utf8)
        let place = place >= 0 ? place : bytes.count + place
        bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: bytes, as: UTF8.self)
      }
    }

    static func receipt(ofPopulation seed: UInt64) -> String {
      let population = FakePopulation(subscribers: 5000, seed: seed, founded: Town.now)
      return FakeStore(population: population).receipt(of: population[17], at: Town.now).receipt.base64
    }
  }

  @Test(
    arguments: [
      Damage("untouched", 0) { $0 }, Damage("nothing", 21002) { _ in "" },
      Damage("words", 21002) { _ in "no receipt at all" },
      Damage("a signed transaction of StoreKit 2", 21002) { _ in "eyJhbGciOiJFUzI1NiJ9.eyJ4IjoxfQ.c2ln" },
      Damage("cut in half", 21002) { String($0.prefix($0.utf8.count / 8 * 4)) },
      Damage("a changed payload", 21003, Damage.changing(200)),
      Damage("a changed certificate", 21003, Damage.changing(3000)),
      Damage("a changed owner", 21003, Damage.changing(-330)),
      Damage("a changed end", 21003, Damage.changing(-9)),
      Damage("a damaged iOS 6 receipt", 21003) { _ in
        Damage.changing(40)(Town.receipt(of: Town.first(.legacy)))
      },
      Damage("another population's", 21003) { _ in Damage.receipt(ofPopulation: 2) },
    ])
  func damaged(_ damage: Damage) {
    #expect(Town.answer(to: Town.body(damage.harm(Town.receipt()))).status == damage.status)
  }
}
