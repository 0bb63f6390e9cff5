import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Queries of panels and views must use indexes.
@Suite struct QuestionPlanTests {
  @Test func unpaidPeriodsAreFoundByIndex() throws {
    let columns = "expires_ms, due_class_id, user_number, line_id, until_ms, position_id"
    let sql = StoreQuery.unpaid(columns).replacing("?1", with: "9").replacing("?2", with: "5")
    let steps = try steps(try Shelf(), sql)
    for index in [
      "COVERING INDEX spans_unpaid (from_ms>? AND from_ms<?)",
      "COVERING INDEX spans_unpaid_long (until_ms=? AND from_ms<?)",
      "COVERING INDEX spans_unpaid_long (until_ms>? AND until_ms<?)",
    ] {
      #expect(steps.contains { $0.contains(index) }, "\(steps)")
    }
  }

  /// The newest events are read in an index's order, which needs sorting only within an instant.
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
