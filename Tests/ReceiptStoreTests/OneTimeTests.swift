import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct OneTimeTests {
  /// The ids are linked pairwise, by a line item and by an original purchase date.
  @Test func idsThatHaveDifferentThingsInCommon() {
    func row(_ id: String, item: String?, original: Int?) -> Transaction {
      var row = Transaction.make(id, product: "coins", purchase: day(1), expires: nil)
      row.webOrderLineItemID = item.map(WebOrderLineItemID.init)
      row.originalPurchaseDate = original.map { day($0) }
      return row
    }
    let rows = [
      row("1", item: nil, original: 1), row("2", item: "w", original: nil), row("3", item: "w", original: 1),
      row("4", item: nil, original: 2), row("5", item: nil, original: nil),
    ]
    for rotation in rows.indices {
      let chain = Chain(
        environment: .production, originalTransactionID: OriginalTransactionID("1"),
        transactions: Array(rows[rotation...] + rows[..<rotation]))
      #expect(Set(chain.oneTime.map(\.transactionID.rawValue)) == ["1", "4", "5"])
      #expect(chain.oneTimeDuplicates.values.map(\.rawValue) == ["1", "1"])
    }
  }

  @Test func areThereWithoutASubscription() throws {
    let shelf = try Shelf()
    func isThere(_ environment: EnvironmentScope, at t: Instant, asKnownThen: Bool) throws -> Bool {
      var question = Question(panel: .events, at: t, environment: environment)
      question.asKnownThen = asKnownThen
      let trust = try shelf.store.report(question).trust
      if !asKnownThen { #expect(try shelf.store.evidenceLedger().report(question).trust == trust) }
      return trust.hasOneTimePurchases
    }
    #expect(try !isThere(.all, at: day(10), asKnownThen: false))
    let coins = Transaction.make("1", product: "coins", purchase: day(1), expires: nil)
    try shelf.take(makeAnswer(at: day(6), coins), for: try shelf.keep(someReceipt))
    for isAsKnownThen in [false, true] {
      #expect(try isThere(.production, at: day(10), asKnownThen: isAsKnownThen))
      #expect(try isThere(.all, at: day(10), asKnownThen: isAsKnownThen))
      #expect(try !isThere(.sandbox, at: day(10), asKnownThen: isAsKnownThen))
      #expect(try !isThere(.production, at: day(0), asKnownThen: isAsKnownThen))
    }
  }
}
