import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// A store of schema 5 tells under schema 6 what it told.
@Suite struct RowsMigrationTests {
  @Test(arguments: 1...40) func everythingIsToldAsBefore(seed: UInt64) throws {
    let shelf = try Shelf()
    let world = World(seed: seed)
    try shelf.live(world)
    let evidence = try shelf.evidence()
    try shelf.becomeSchema5()
    let before = try shelf.views()
    let store = try ReceiptStore(path: shelf.path)
    #expect(try shelf.views() == before)
    #expect(try shelf.evidence() == evidence)
    let status = try store.status(at: day(50), check: true)
    #expect(status.schemaVersion == "6" && status.integrity == "ok")
    let population = try store.population()
    for panel in Panel.allCases {
      let question = Question(panel: panel, at: day(50), windowDays: 90)
      #expect(differences(try store.report(question), population.report(question)) == [])
    }
  }

  /// Ids that are no plain decimals, and those at the end of what a number holds.
  @Test(arguments: [
    "0", "7", "007", "-7", "+7", " 7", "7 ", "1e3", "7.0", "", "x", "9223372036854775807",
    "9223372036854775808",
    "09223372036854775807", "99999999999999999999", "7\u{661}", "é", "e\u{301}",
  ]) func idsStayWhatTheyWere(id: String) throws {
    let shelf = try Shelf()
    let receipt = try shelf.keep(ImportedReceipt(data: ReceiptData(trusted: "MIIB")))
    var row = monthly("1", 0, 30)
    row.transactionID = TransactionID(id)
    row.webOrderLineItemID = WebOrderLineItemID(id)
    try shelf.take(makeAnswer(at: day(1), row), for: receipt)
    let found = { (store: ReceiptStore) in
      let rows = try store.chains(matching: id, at: day(2)).first?.lines.first?.transactions ?? []
      #expect(rows.map { Array($0.transactionId.rawValue.utf8) } == [Array(id.utf8)])
    }
    try found(shelf.store)
    let evidence = try shelf.evidence()
    try shelf.becomeSchema5()
    try found(ReceiptStore(path: shelf.path))
    #expect(try shelf.evidence() == evidence)
  }

  /// What is told of each chain alone where it differs from what the chain has in common.
  @Test func whatDiffersFromTheChainIsTold() throws {
    let shelf = try Shelf()
    let receipt = try shelf.keep(ImportedReceipt(data: ReceiptData(trusted: "MIIB")))
    var (first, second, third) = (monthly("1", 0, 30), monthly("2", 30, 60), monthly("3", 60, 90))
    (first.originalPurchaseDate, first.appAccountToken) = (day(0), "a")
    (second.originalPurchaseDate, second.appAccountToken) = (nil, nil)
    (third.originalPurchaseDate, third.appAccountToken) = (day(1), "0")
    try shelf.take(makeAnswer(at: day(61), first, second, third), for: receipt)
    func told() throws -> [[DatabaseValue]] {
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
    #expect(try told() == expected)
    try shelf.becomeSchema5()
    _ = try ReceiptStore(path: shelf.path)
    #expect(try told() == expected)
  }

  /// An older answer of another receipt shows that the chain was known before, and only what it speaks of was.
  @Test(arguments: [false, true]) func anOlderAnswerMovesWhatItSpeaksOfAlone(isOfSchema5: Bool) throws {
    let shelf = try Shelf()
    let receipt = try shelf.keep(ImportedReceipt(data: ReceiptData(trusted: "MIIB")))
    let other = try shelf.keep(ImportedReceipt(data: ReceiptData(trusted: "MIIC")))
    try shelf.take(makeAnswer(at: day(40), monthly("1", 0, 30), monthly("2", 30, 60)), for: receipt)
    if isOfSchema5 { try shelf.becomeSchema5() }
    let store = isOfSchema5 ? try ReceiptStore(path: shelf.path) : shelf.store
    let older = ReceiptOutcome.Result.answered(makeAnswer(at: day(20), monthly("1", 0, 30)), status: 0)
    _ = try store.record([ReceiptOutcome(receipt: other, result: older)], of: nil, at: day(41))
    let seen = try shelf.raw {
      try Int64.fetchAll($0, sql: "SELECT first_observed_at_ms FROM v_transactions ORDER BY transaction_id")
    }
    #expect(seen == [day(20).rawValue, day(40).rawValue])
    let lags = try #require(try store.status(at: day(41), withQueue: true).queue?.detectionLag)
    // The renewal was there on the thirtieth day and learnt on the fortieth.
    #expect(lags.contains { $0.type == "RENEWAL" && $0.p50 == 10 * Milliseconds.day })
  }

  /// A migration that fails at its very end leaves the file as it was.
  @Test func itIsDoneWholeOrNotAtAll() throws {
    let shelf = try Shelf()
    try shelf.live(World(seed: 3))
    try shelf.becomeSchema5()
    let before = try shelf.views()
    // In the place of an index, all of which are made when everything else is.
    try shelf.write("CREATE TABLE transactions_id (id INTEGER PRIMARY KEY)")
    #expect(throws: StoreError.self) { try ReceiptStore(path: shelf.path) }
    #expect(try shelf.views() == before)
    try shelf.write("DROP TABLE transactions_id")
    _ = try ReceiptStore(path: shelf.path)
    #expect(try shelf.views() == before)
  }
}

extension Shelf {
  fileprivate func becomeSchema5() throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let file = try DatabaseQueue(path: path, configuration: configuration)
    try file.write { try $0.execute(sql: Schema5.statements) }
  }

  /// What the views for others tell, row by row; an event's number is none that anybody keeps.
  fileprivate func views() throws -> [String] {
    try raw { db in
      try ["v_transactions", "v_refunds", "v_upgrades", "v_events"].flatMap { view in
        try GRDB.Row.fetchAll(db, sql: "SELECT * FROM \(view)").map { row in
          "\(view): "
            + row.filter { view != "v_events" || $0.0 != "id" }.map { "\($0.0)=\($0.1)" }.joined(
              separator: " ")
        }.sorted()
      }
    }
  }
}
