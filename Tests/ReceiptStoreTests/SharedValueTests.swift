import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct SharedValueTests {
  @Test(arguments: [
    "0", "7", "007", "-7", "+7", " 7", "7 ", "1e3", "7.0", "", "x", "9223372036854775807",
    "9223372036854775808",
    "09223372036854775807", "99999999999999999999", "7\u{661}", "é", "e\u{301}",
  ]) func idsAreStoredUnchanged(id: String) throws {
    let shelf = try Shelf()
    let receipt = try shelf.keep(ImportedReceipt(data: ReceiptData(trusted: "MIIB")))
    var row = monthly("1", 0, 30)
    row.transactionID = TransactionID(id)
    row.webOrderLineItemID = WebOrderLineItemID(id)
    try shelf.take(makeAnswer(at: day(1), row), for: receipt)
    let rows = try shelf.store.chains(matching: id, at: day(2)).first?.lines.first?.transactions ?? []
    #expect(rows.map { Array($0.transactionId.rawValue.utf8) } == [Array(id.utf8)])
  }

  @Test func valuesThatDifferFromTheChainAreKept() throws {
    let shelf = try Shelf()
    let receipt = try shelf.keep(ImportedReceipt(data: ReceiptData(trusted: "MIIB")))
    var (first, second, third) = (monthly("1", 0, 30), monthly("2", 30, 60), monthly("3", 60, 90))
    (first.originalPurchaseDate, first.appAccountToken) = (day(0), "a")
    (second.originalPurchaseDate, second.appAccountToken) = (nil, nil)
    (third.originalPurchaseDate, third.appAccountToken) = (day(1), "0")
    try shelf.take(makeAnswer(at: day(61), first, second, third), for: receipt)
    func values() throws -> [[DatabaseValue]] {
      try shelf.raw { db in
        try GRDB.Row.fetchAll(
          db,
          sql: """
            SELECT original_purchase_date_ms, app_account_token, first_observed_at_ms, observed_at_ms
            FROM v_transactions ORDER BY transaction_id
            """
        ).map { Array($0.databaseValues) }
      }
    }
    let seen = day(61).rawValue.databaseValue
    let expected: [[DatabaseValue]] = [
      [day(0).rawValue.databaseValue, "a".databaseValue, seen, seen], [.null, .null, seen, seen],
      [day(1).rawValue.databaseValue, "0".databaseValue, seen, seen],
    ]
    #expect(try values() == expected)
  }

  /// An older answer of another receipt predates the chain, but only for the rows it contains.
  @Test func anOlderAnswerChangesOnlyItsOwnRows() throws {
    let shelf = try Shelf()
    let receipt = try shelf.keep(ImportedReceipt(data: ReceiptData(trusted: "MIIB")))
    let other = try shelf.keep(ImportedReceipt(data: ReceiptData(trusted: "MIIC")))
    try shelf.take(makeAnswer(at: day(40), monthly("1", 0, 30), monthly("2", 30, 60)), for: receipt)
    let older = ReceiptOutcome.Result.answered(makeAnswer(at: day(20), monthly("1", 0, 30)), status: 0)
    _ = try shelf.store.record([ReceiptOutcome(receipt: other, result: older)], of: nil, at: day(41))
    let seen = try shelf.raw {
      try Int64.fetchAll($0, sql: "SELECT first_observed_at_ms FROM v_transactions ORDER BY transaction_id")
    }
    #expect(seen == [day(20).rawValue, day(40).rawValue])
    let lags = try #require(try shelf.store.status(at: day(41), withQueue: true).queue?.detectionLag)
    // The renewal happened on day 30 and was observed on day 40.
    #expect(lags.contains { $0.type == "RENEWAL" && $0.p50 == 10 * Milliseconds.day })
  }
}
