import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// No question reads a table from end to end where an index tells what is wanted.
@Suite struct QuestionPlanTests {
  struct Plan: CustomTestStringConvertible {
    let name: String
    let sql: String
    let uses: [String]
    var testDescription: String { name }
  }

  private static let judged =
    "transactions x JOIN lines l ON l.id = x.line_id JOIN chains c ON c.id = l.chain_id WHERE c.environment = 'Production' AND "

  @Test(arguments: [
    Plan(
      name: "due receipts",
      sql:
        "SELECT q.id FROM receipts q WHERE q.next_due_at_ms <= 5 AND NOT EXISTS (SELECT 1 FROM leases e WHERE e.receipt_id = q.id AND e.until_ms > 5) AND (q.next_due_at_ms, q.id) > (1, 7) ORDER BY q.next_due_at_ms, q.id LIMIT 9",
      uses: ["receipts_due"]),
    Plan(
      name: "receipts that fail",
      sql:
        "SELECT count(*), min(next_due_at_ms) FROM receipts WHERE failing_since_ms IS NOT NULL AND next_due_at_ms IS NOT NULL",
      uses: ["receipts_failing"]),
    Plan(
      name: "dead receipts",
      sql:
        "SELECT dead_reason, count(*), min(id) FROM receipts WHERE dead_reason IS NOT NULL GROUP BY dead_reason",
      uses: ["receipts_dead"]),
    Plan(
      name: "the last sweep",
      sql:
        "SELECT picked FROM sweeps WHERE finished_at_ms IS NOT NULL ORDER BY picked > 0 DESC, finished_at_ms DESC, id DESC LIMIT 1",
      uses: ["sweeps_last"]),
    Plan(
      name: "what was learnt lately",
      sql:
        "SELECT s.type FROM event_rows e CROSS JOIN event_shapes s ON s.id = e.shape_id WHERE e.observed_at_ms > 5 AND e.observed_at_ms <= 9",
      uses: ["events_observed"]),
    Plan(
      name: "a user's receipts",
      sql:
        "SELECT id FROM receipts WHERE has_contents AND app_user_id = 'u' AND app_user_id <> ''",
      uses: ["receipts_user"]),
    Plan(
      name: "a chain by its id", sql: "SELECT id FROM chains WHERE original_transaction_id = 'x'",
      uses: ["sqlite_autoindex_chains_1"]),
    Plan(
      name: "a chain by a transaction",
      sql: "SELECT chain_id FROM transaction_rows WHERE transaction_id = 'x'",
      uses: ["transactions_id"]),
    Plan(
      name: "a chain by a line item",
      sql: "SELECT chain_id FROM transaction_rows WHERE web_order_line_item_id = 'x'",
      uses: ["transactions_order"]),
    Plan(
      name: "a chain by an app transaction",
      sql:
        "SELECT x.chain_id FROM signed_terms s JOIN transaction_rows x ON x.id = s.transaction_row WHERE s.app_transaction_id = 'a'",
      uses: ["signed_terms_account"]),
    Plan(
      name: "users that begin with a text",
      sql:
        "SELECT DISTINCT app_user_id FROM receipts WHERE app_user_id <> '' AND app_user_id >= 'u' AND app_user_id < 'v' ORDER BY app_user_id LIMIT 9",
      uses: ["COVERING INDEX receipts_user"]),
    Plan(
      name: "transactions that begin with digits",
      sql:
        "SELECT DISTINCT transaction_id FROM transaction_rows WHERE 1 AND transaction_id BETWEEN 5 AND 9 ORDER BY transaction_id LIMIT 9",
      uses: ["COVERING INDEX transactions_id"]),
    Plan(
      name: "a chain by a user",
      sql:
        "SELECT k.chain_id FROM receipts q JOIN receipt_chains k ON k.receipt_id = q.id WHERE q.app_user_id = 'u' AND q.app_user_id <> ''",
      uses: ["receipts_user", "PRIMARY KEY"]),
    Plan(
      name: "what may yet be paid for",
      sql: StoreQuery.unpaid("expires_ms, due_class_id, user_number, line_id, until_ms, position_id")
        .replacing("?1", with: "9").replacing("?2", with: "5").replacing(
          "?3", with: "10"),
      uses: [
        "COVERING INDEX spans_unpaid (from_ms>? AND from_ms<?)",
        "COVERING INDEX spans_unpaid_long (until_ms=? AND from_ms<?)",
        "COVERING INDEX spans_unpaid_long (until_ms>? AND until_ms<?)",
      ]),
    Plan(
      name: "lines that may yet be paid again",
      sql:
        "SELECT class_id, until_ms, next_ms, sum(micros) FROM episodes INDEXED BY episodes_settled WHERE family = 20 AND from_ms > 5 AND from_ms <= 9 AND settled_ms > 9 GROUP BY class_id",
      uses: ["COVERING INDEX episodes_settled (family=? AND settled_ms>?)"]),
    Plan(
      name: "offers of a window that have not settled",
      sql:
        "SELECT class_id, until_ms, next_ms, sum(micros), max(last_ms), line_id, current_id FROM episodes INDEXED BY episodes_settled WHERE family = 21 AND from_ms > 5 AND from_ms <= 9 AND settled_ms > 9 GROUP BY class_id",
      uses: ["COVERING INDEX episodes_settled (family=? AND settled_ms>?)"]),
    Plan(
      name: "opt-outs of a window",
      sql:
        "SELECT class_id, until_ms, next_ms, sum(micros) FROM episodes INDEXED BY episodes_from WHERE family = 22 AND from_ms > 5 AND from_ms <= 9 GROUP BY class_id",
      uses: ["COVERING INDEX episodes_from (family=? AND from_ms>? AND from_ms<?)"]),
    Plan(
      name: "refunds of a window",
      sql: "SELECT count(*) FROM \(judged) x.refunded_at_ms > 5 AND x.refunded_at_ms <= 9",
      uses: ["transactions_refunded"]),
    Plan(
      name: "upgrades of a window",
      sql: "SELECT count(*) FROM \(judged) x.upgraded = 1 AND x.upgraded_at_ms > 5 AND x.upgraded_at_ms <= 9",
      uses: ["transactions_upgraded"]),
    Plan(
      name: "trials of a window",
      sql:
        "SELECT shape_id FROM transaction_rows WHERE effective_end_ms IS NOT NULL AND effective_end_ms >= 5 AND effective_end_ms <= 9",
      uses: ["transactions_effective_end"]),
    Plan(
      name: "events of a window",
      sql: "SELECT count(*) FROM events WHERE effective_at_ms > 5 AND effective_at_ms <= 9",
      uses: ["events_effective"]),
    Plan(
      name: "spans that begin in part of an hour",
      sql: "SELECT line_id FROM spans WHERE from_ms >= 5 AND from_ms <= 9", uses: ["spans_from"]),
  ])
  func indexes(_ plan: Plan) throws {
    let shelf = try Shelf()
    let steps = try steps(shelf, plan.sql)
    for index in plan.uses { #expect(steps.contains { $0.contains(index) }, "\(steps)") }
    #expect(!steps.contains { $0.hasPrefix("SCAN") && !$0.contains("USING") }, "\(steps)")
    if plan.sql.hasSuffix(" DESC") { #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)") }
  }

  /// In the order of an index but for those of one instant, and nothing but the index where every product is asked about.
  @Test(arguments: [[], [ProductID("monthly")]] as [Set<ProductID>])
  func newestEvents(of products: Set<ProductID>) throws {
    let shelf = try Shelf()
    var question = Question(panel: .events, at: day(20))
    question.products = products
    let sql = try shelf.raw { StoreQuery.newestEvents(question, $0) }
    let steps = try steps(shelf, sql, ["from": 5, "t": 9, "limit": 50, "product0": "monthly"])
    let isCovering = steps.contains { $0.contains("e USING COVERING INDEX events_effective") }
    #expect(isCovering == products.isEmpty, "\(steps)")
    #expect(steps.contains { $0.contains("events_effective (effective_at_ms=? AND chain_id=?)") }, "\(steps)")
    #expect(
      steps.contains { $0.contains("FOR RIGHT PART OF ORDER BY") || $0.contains("FOR LAST") }, "\(steps)")
    #expect(!steps.contains { $0.hasSuffix("TEMP B-TREE FOR ORDER BY") }, "\(steps)")
    #expect(!steps.contains { $0.hasPrefix("SCAN e") }, "\(steps)")
  }

  /// As people ask it.
  @Test func theViewOfLines() throws {
    let shelf = try Shelf()
    try shelf.live(World(seed: 2))
    let views = try shelf.raw {
      try String.fetchAll($0, sql: "SELECT sql FROM sqlite_master WHERE name = 'v_lines'")
    }
    let select = try #require(views.first?.split(separator: " AS\n", maxSplits: 1).last)
    let steps = try steps(shelf, String(select))
    for alias in ["p", "c", "x", "r"] {
      #expect(!steps.contains { $0 == "SCAN \(alias)" }, "\(steps)")
    }
  }

  private func steps(
    _ shelf: Shelf, _ sql: String, _ arguments: StatementArguments = StatementArguments()
  ) throws -> [String] {
    try shelf.raw {
      try GRDB.Row.fetchAll($0, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments).map { $0["detail"] }
    }
  }
}
