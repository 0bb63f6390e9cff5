import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct OneTimeTests {
  private func purchase(_ id: String, item: String?, refunded: Instant? = nil) -> Transaction {
    var row = Transaction.make(id, product: "coins", purchase: day(1), expires: nil)
    row.webOrderLineItemID = item.map(WebOrderLineItemID.init)
    row.cancellationDate = refunded
    row.cancellationReason = refunded == nil ? nil : "1"
    return row
  }

  /// METRICS §1.3: a restore gives a purchase another id, and the refund may be marked on either.
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
    #expect(differences(report, try shelf.store.evidenceLedger().report(question)) == [])
    let figures = report.data
    #expect(figures["one_time"] == 2 && figures["count"] == 0)
    let rows = try shelf.store.rows(behind: question, figure: "one_time")
    #expect(rows == (try shelf.store.evidenceLedger().rows(question, figure: "one_time")))
    #expect(rows.rows.map(\.transactionID.rawValue).sorted() == ["1", "4"])
    let chain = try #require(try shelf.store.chains(matching: "1", at: day(10)).first)
    #expect(chain.oneTime.map(\.transactionId.rawValue) == ["1", "3", "4"])
    #expect(chain.events.count { $0.type == .nonRenewingPurchase } == 3)
    #expect(chain.events.count { $0.type == .cancellation } == 2)
  }

  /// METRICS §1.3: a restored non-consumable has other ids and dates, but the same original purchase date.
  /// Consumables have their own.
  @Test(arguments: [[0, 1, 2], [2, 0, 1], [1, 2, 0]]) func aNonConsumableRestoredTwice(_ order: [Int]) throws
  {
    func bought(_ id: String, on from: Int, original: Int, refund: Instant? = nil) -> Transaction {
      var row = Transaction.make(id, product: "lifetime", purchase: day(from), expires: nil)
      row.originalPurchaseDate = day(original)
      row.cancellationDate = refund
      return row
    }
    let shelf = try Shelf()
    let receipt = try shelf.keep(someReceipt)
    let ids = [("1", 1), ("2", 20), ("3", 40)]
    func answer(at t: Instant, refund: Instant?) -> Answer {
      let rows = order.map { bought(ids[$0].0, on: ids[$0].1, original: 1, refund: refund) }
      var answer = makeAnswer(at: t, bought("4", on: 41, original: 41))
      answer.transactions = rows + answer.transactions
      return answer
    }
    for place in order {
      let row = bought(ids[place].0, on: ids[place].1, original: 1)
      try shelf.take(makeAnswer(at: day(50 + place), row), for: receipt)
    }
    try shelf.take(answer(at: day(60), refund: day(59)), for: receipt)
    let question = Question(panel: .refunds, at: day(61))
    let report = try shelf.store.report(question)
    #expect(differences(report, try shelf.store.evidenceLedger().report(question)) == [])
    let figures = report.data
    #expect(figures["one_time"] == 1)
    let chain = try #require(try shelf.store.chains(matching: "3", at: day(61)).first)
    #expect(chain.oneTime.map(\.transactionId.rawValue) == ["1", "4"])
    #expect(chain.oneTime.map { $0.alsoTransactionIds.map(\.rawValue) } == [["2", "3"], []])
    #expect(chain.events.map(\.type) == [.cancellation, .nonRenewingPurchase, .nonRenewingPurchase])
  }

  /// The ids are linked pairwise, by a line item and by an original purchase date.
  @Test func idsThatHaveDifferentThingsInCommon() {
    func row(_ id: String, item: String?, original: Int?) -> Transaction {
      var row = purchase(id, item: item)
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
    try shelf.take(makeAnswer(at: day(6), purchase("1", item: nil)), for: try shelf.keep(someReceipt))
    for isAsKnownThen in [false, true] {
      #expect(try isThere(.production, at: day(10), asKnownThen: isAsKnownThen))
      #expect(try isThere(.all, at: day(10), asKnownThen: isAsKnownThen))
      #expect(try !isThere(.sandbox, at: day(10), asKnownThen: isAsKnownThen))
      #expect(try !isThere(.production, at: day(0), asKnownThen: isAsKnownThen))
    }
  }

  /// Apple may omit the reason, so only the date shows a refund.
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
    let figures = report.data
    #expect(figures["one_time"] == 3)
  }
}
