import AppStore
import FakeAppStore
import Subscriptions
import Testing

@Suite struct ReceiptContentsTests {
  @Test("A receipt says of itself what the customer had bought by then", arguments: Subscriber.Kind.allCases)
  func saysWhatWasBought(_ kind: Subscriber.Kind) throws {
    let person = Person(Town.first(kind), at: Town.now)
    let contents = ReceiptContents(Town.store.receipt(of: person.subscriber, at: Town.now).receipt)
    let found = try #require(contents)
    let bought = person.history.transactions + person.history.oneTime
    #expect(found.bundleID == person.subscriber.bundleID)
    let isOldStyle = kind == .legacy
    #expect(
      isOldStyle
        || found.receiptType
          == (person.subscriber.environment == .sandbox ? "ProductionSandbox" : "Production")
    )
    #expect(!found.transactionIDs.isEmpty)
    #expect(found.transactionIDs.isSubset(of: bought.map(\.transactionID)))
    #expect(found.originalTransactionIDs.isSubset(of: bought.map(\.originalTransactionID)))
  }

  @Test func everyPaddingIsPassedBy() throws {
    let subscriber = Town.first(.paying)
    let plain = ReceiptContents(Town.store.receipt(of: subscriber, at: Town.now).receipt)
    for padding in [1, 100, 127, 128, 255, 256, 40_000] {
      let store = FakeStore(population: Town.population, receiptPadding: padding)
      #expect(ReceiptContents(store.receipt(of: subscriber, at: Town.now).receipt) == plain, "\(padding)")
    }
  }
}
