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
}
