import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct ChainTests {
  private func shelf() throws -> Shelf {
    let (shelf, id) = try Shelf.withReceipt()
    let coins = Transaction.make("30", chain: "30", product: "coins", purchase: day(2), expires: nil)
    let item = monthly("11", 0, 30) { $0.webOrderLineItemID = WebOrderLineItemID("w5") }
    try shelf.take(makeAnswer(at: day(5), item, coins, infos: [.make()]), for: id)
    return shelf
  }

  @Test(arguments: [
    ("1", ["1"]), ("11", ["1"]), ("w5", ["1"]), ("u", ["1", "30"]), ("30", ["30"]), ("nobody", []), ("", []),
  ])
  func byAnyId(_ id: String, _ chains: [String]) throws {
    let shelf = try shelf()
    let found = try shelf.store.chains(matching: id, at: day(6))
    #expect(found.map(\.originalTransactionId.rawValue) == chains)
  }

  @Test func aChainHasItsReceiptsAndLines() throws {
    let shelf = try shelf()
    let chain = try #require(try shelf.store.chains(matching: "11", at: day(6)).first)
    #expect(chain.appUserIds == [AppUserID("u")])
    #expect(chain.receipts.map(\.lastValidatedAtMs) == [day(5)])
    #expect(chain.receipts.map(\.lastStatus) == [0])
    let line = try #require(chain.lines.first)
    #expect(line.state == .active && line.why.hasPrefix("active: "))
    #expect(line.transactions.map(\.priceMicros) == [10_990_000])
    #expect(line.renewalInfos.map(\.observedAtMs) == [day(5)])
    #expect(line.autoRenew == true && !line.changePending && line.accessUntilMs == day(30))
    let coins = try #require(try shelf.store.chains(matching: "30", at: day(6)).first)
    #expect(coins.lines == [] && coins.oneTime.map(\.kind) == ["one_time"])
  }

  @Test(arguments: ["' OR 1=1 --", "%", "*", "\u{0}", String(repeating: "9", count: 100_000)])
  func strangeIds(_ id: String) throws {
    let shelf = try shelf()
    #expect(try shelf.store.chains(matching: id, at: day(6)) == [])
  }

  @Test func status() throws {
    let shelf = try shelf()
    let status = try shelf.store.status(at: day(31))
    let version = try shelf.raw { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    #expect(status.receipts == 1 && status.lines == 1 && status.transactions == 2)
    #expect(status.overdueLines == 1 && status.fresh24h == nil && status.dead == 0)
    #expect(
      status.schemaVersion == version.map(String.init) && status.lastSweep == nil && status.integrity == nil)
    #expect(status.asOfMs == day(31) && status.ofNow == [])
  }

  /// A day, and the numbers of lines and transactions that the answers of two receipts had shown by then.
  @Test(arguments: [(-301, 0, 0), (4, 0, 0), (6, 1, 2), (8, 1, 2), (10, 2, 3)])
  func statusOfThePast(_ past: Int, _ lines: Int, _ transactions: Int) throws {
    let shelf = try shelf()
    let second = try shelf.keep(
      ImportedReceipt(data: ReceiptData(trusted: "MIIC"), appUserID: AppUserID("v")), at: day(7))
    let row = monthly("21", 8, 38) { $0.originalTransactionID = OriginalTransactionID("21") }
    try shelf.take(makeAnswer(at: day(9), row), for: second)
    let (now, then) = (
      try shelf.store.status(at: day(31)), try shelf.store.status(at: day(31), asOf: day(past))
    )
    #expect((then.lines, then.transactions) == (lines, transactions))
    #expect(then.ofNow.contains("receipts") && then.receipts == now.receipts)
    #expect(then.asOfMs == day(past) && now.ofNow == [])
    #expect(then.ofNow.contains("due_now") && then.dueNow == now.dueNow && then.prices == now.prices)
  }
}
