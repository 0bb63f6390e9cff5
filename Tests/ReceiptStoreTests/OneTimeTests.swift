import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// What does not renew is outside every subscription figure, and still one purchase is counted once.
@Suite struct OneTimeTests {
  private func purchase(_ id: String, item: String?, refunded: Instant? = nil) -> Transaction {
    var row = Transaction.make(id, product: "coins", purchase: day(1), expires: nil)
    row.webOrderLineItemID = item.map(WebOrderLineItemID.init)
    row.cancellationDate = refunded
    row.cancellationReason = refunded == nil ? nil : "1"
    return row
  }

  /// METRICS §1.3: a restore gives a purchase another id, and the refund may stand on either.
  @Test(arguments: [[nil, day(5)], [day(5), nil], [day(5), day(5)]] as [[Instant?]])
  func aRestoredPurchaseIsRefundedOnce(_ refunds: [Instant?]) throws {
    let shelf = try Shelf()
    let answer = makeAnswer(
      at: day(6), purchase("1", item: "w", refunded: refunds[0]),
      purchase("2", item: "w", refunded: refunds[1]),
      purchase("3", item: "other"), purchase("4", item: nil, refunded: day(5)))
    try shelf.take(answer, for: try shelf.keep(someReceipt))
    let question = Question(panel: .refunds, at: day(10))
    let report = try shelf.store.report(question)
    #expect(differences(report, try shelf.store.population().report(question)) == [])
    guard case .refunds(let figures) = report.data else { return #expect(Bool(false), "another panel") }
    #expect(figures.oneTime == 2 && figures.count == 0)
    let rows = try shelf.store.rows(behind: question, figure: "one_time")
    #expect(rows == (try shelf.store.population().rows(question, figure: "one_time")))
    #expect(rows.rows.map(\.transactionID.rawValue).sorted() == ["1", "4"])
    let chain = try #require(try shelf.store.chains(matching: "1", at: day(10)).first)
    #expect(chain.oneTime.map(\.transactionId.rawValue) == ["1", "3", "4"])
    #expect(chain.events.count { $0.type == .nonRenewingPurchase } == 3)
    #expect(chain.events.count { $0.type == .cancellation } == 2)
  }

  /// Apple need not say why; then nothing but the date tells a refunded purchase from one that was kept.
  @Test func aRefundWithoutAReasonIsCountedWheneverItComes() throws {
    let shelf = try Shelf()
    let receipt = try shelf.keep(someReceipt)
    func isRefunded(_ id: String) -> Transaction {
      var row = purchase(id, item: nil, refunded: day(5))
      row.cancellationReason = nil
      return row
    }
    try shelf.take(makeAnswer(at: day(6), purchase("1", item: nil), isRefunded("2")), for: receipt)
    try shelf.take(makeAnswer(at: day(7), isRefunded("1"), isRefunded("2"), isRefunded("3")), for: receipt)
    let report = try shelf.store.report(Question(panel: .refunds, at: day(10)))
    guard case .refunds(let figures) = report.data else { return #expect(Bool(false), "another panel") }
    #expect(figures.oneTime == 3)
  }
}
