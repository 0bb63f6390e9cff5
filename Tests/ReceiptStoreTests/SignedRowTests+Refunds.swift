import ReceiptStore
import Subscriptions
import TestSupport
import Testing

extension SignedRowTests {
  /// The catalog has no prices of one-time purchases, but Apple signs them.
  @Test func aOneTimePurchaseHasItsSignedPrice() throws {
    var bought = Transaction.make("30", chain: "30", product: "coins", purchase: day(2), expires: nil)
    bought.cancellationDate = day(9)
    let signed = row(bought, at: day(10), price: 1_990_000) {
      $0.add(.init(date: day(9), signedAt: day(10), type: "REFUND_PRORATED", percentage: 50_000))
    }
    let shelf = try Shelf()
    try take([signed], into: shelf)
    let chain = try #require(try shelf.store.chains(matching: "30", at: day(12)).first)
    let entry = try #require(chain.oneTime.first)
    #expect(entry.priceMicros == 1_990_000 && entry.priceSource == .signed)
    #expect(entry.partialRefundMicros == 995_000)
    let question = Question(panel: .events, at: day(12))
    let feed = try shelf.store.report(question).data
    #expect(feed.events.map { $0.price?.micros } == [-995_000, 1_990_000])
    #expect(
      try differences(shelf.store.report(question), shelf.store.evidenceLedger().report(question)) == [])
  }

  @Test(arguments: [nil, 100_000, 99_999] as [Int64?]) func aRefundOfEverything(_ percentage: Int64?) throws {
    let shelf = try Shelf()
    let refunded = monthly("1", 0, 30) { $0.cancellationDate = day(9) }
    let signed = row(refunded, at: day(10), price: 10_000_000) {
      $0.add(.init(date: day(9), signedAt: day(10), type: "REFUND_FULL", percentage: percentage))
    }
    try take([signed], into: shelf)
    let isPart = percentage == 99_999
    let entry = try #require(try shelf.store.chains(matching: "1", at: day(12)).first?.lines.first)
    #expect(entry.transactions.first?.partialRefundMicros == (isPart ? 9_999_900 : nil))
    let question = Question(panel: .refunds, at: day(12))
    let row = try #require(try shelf.store.rows(behind: question, figure: "amount").rows.first)
    #expect(row.amount?.micros == (isPart ? 9_999_900 : 10_000_000))
    #expect(row.why.contains("revocationPercentage") == isPart)
  }

  @Test func aRefundOfAPart() throws {
    let shelf = try Shelf()
    var refunded = monthly("1", 0, 30)
    refunded.cancellationDate = day(9)
    let signed = row(refunded, at: day(10), price: 10_000_000) {
      $0.add(.init(date: day(9), signedAt: day(10), type: "REFUND_PRORATED", percentage: 67_932))
    }
    try take([signed, answer([refunded], at: day(11))], into: shelf)
    let question = Question(panel: .refunds, at: day(12))
    let figures = try shelf.store.report(question).data
    #expect(figures[amounts: "amount"].totals == [Money(micros: 6_793_200, currency: CurrencyCode("EUR"))])
    let row = try #require(try shelf.store.rows(behind: question, figure: "amount").rows.first)
    #expect(row.amount?.micros == 6_793_200 && row.why.hasSuffix("revocationPercentage = 67.932 %"))
    let events = try shelf.store.chains(matching: "1", at: day(12)).first?.lines.first?.events
    #expect(events?.first { $0.reason == "CUSTOMER_SUPPORT" }?.price?.micros == -6_793_200)
    // A later answer without the refund reverses it.
    try take([answer([monthly("1", 0, 30)], at: day(20))], into: shelf)
    let after = try shelf.store.report(Question(panel: .refunds, at: day(21))).data
    #expect(after["count"] == 0)
  }

  /// Reversals and later refunds must not change amounts of the past.
  @Test(arguments: [false, true]) func aRefundOfAPartThatWasReversed(isInReceipt: Bool) throws {
    let shelf = try Shelf()
    func refunded(_ date: Int, _ percentage: Int64?) -> ImportedAnswer {
      row(monthly("1", 0, 30) { $0.cancellationDate = day(date) }, at: day(date + 1), price: 10_000_000) {
        $0.add(.init(date: day(date), signedAt: day(date + 1), type: nil, percentage: percentage))
      }
    }
    func free(_ t: Int) -> ImportedAnswer {
      isInReceipt ? answer([monthly("1", 0, 30)], at: day(t)) : row(monthly("1", 0, 30), at: day(t))
    }
    try take(
      [
        row(monthly("1", 0, 30), at: day(2), price: 10_000_000), refunded(9, 50_000), free(12),
        refunded(14, 25_000), free(16), refunded(18, nil), free(20),
      ], into: shelf)
    let question = Question(panel: .events, at: day(25))
    let feed = try shelf.store.report(question).data
    let moved = [10, -10, 2.5, -2.5, 5, -5, 10].map { Int128($0 * 1_000_000) }
    #expect(feed.events.compactMap { $0.price?.micros } == moved)
    let events = try #require(try shelf.store.chains(matching: "1", at: day(25)).first?.lines.first?.events)
    #expect(events.compactMap { $0.price?.micros } == moved)
    #expect(
      try differences(shelf.store.report(question), shelf.store.evidenceLedger().report(question)) == [])
  }
}
