import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Reports must be read from stored sums, whose values `SameAnswersTests` verifies.
@Suite struct LedgerTests {
  /// Damaging a table must change the report; otherwise the report was computed line by line.
  @Test(arguments: [
    ("sums", Panel.movement), ("spans", .movement), ("sums", .churn), ("sums", .refunds), ("sums", .upgrades),
    ("sums", .events), ("transaction_rows", .churn), ("event_rows", .events), ("sums", .recovery),
    ("episodes", .recovery), ("episodes", .offers), ("sums", .offers),
  ])
  func isReadFromStoredTables(_ table: String, _ panel: Panel) throws {
    let shelf = try Shelf()
    try shelf.live(World(seed: 3))
    let last = try #require(World(seed: 3).days.last)
    let quarter = Milliseconds.hour / 4
    let question = Question(panel: panel, at: last + quarter * 3 / 2, windowDays: 365, environment: .all)
    let truth = try shelf.store.evidenceLedger().report(question)
    #expect(differences(try shelf.store.report(question), truth) == [])
    // In the hour that the window cuts, rows are read instead of sums.
    let late = (last + quarter).rawValue
    let damage = [
      "spans": """
      INSERT INTO spans SELECT line_id, \(late), until_ms, position_id, change_id, monthly_micros,
        current_id, renewal_info_id, access_end_ms, expires_ms,
          due_class_id, user_number, converted_micros, unconverted, charge_micros, charge_currency
      FROM spans WHERE change_id IS NOT NULL GROUP BY line_id
      """,
      "episodes":
        "UPDATE OR IGNORE episodes SET from_ms = \(late), next_ms = NULL, micros = ifnull(micros, 0) + 1",
      "transaction_rows": "UPDATE transaction_rows SET purchase_date_ms = \(late) WHERE line_id IS NOT NULL",
      "event_rows": "UPDATE event_rows SET effective_at_ms = \(late)",
    ]
    if table == "sums" {
      try shelf.changeSums { $0.sum.count += 1 }
    } else {
      try shelf.write(try #require(damage[table]))
    }
    #expect(differences(try shelf.store.report(question), truth) != [])
    guard ["sums", "spans", "episodes"].contains(table) else { return }
    try shelf.store.rebuild()
    #expect(differences(try shelf.store.report(question), truth) == [])
  }
}
