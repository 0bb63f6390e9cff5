import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Figures come from stored sums. `SameAnswersTests` verifies their values.
@Suite struct LedgerTests {
  /// Otherwise reports could silently be computed line by line.
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

  struct Prices: CustomTestStringConvertible {
    let testDescription: String
    let micros: Int64
    var period = Period(1, .month)
    let lines: Int
    /// Whether the sums fit their columns. If not, every line is read.
    let fit: Bool
  }

  @Test(arguments: [
    Prices(testDescription: "a price", micros: 20_000_000_000_000, lines: 1, fit: true),
    Prices(testDescription: "the highest price", micros: Money.prices.upperBound, lines: 4, fit: true),
    Prices(
      testDescription: "more than 64 bits", micros: Money.prices.upperBound, period: Period(1, .day),
      lines: 310,
      fit: false),
  ])
  func sumsAreExact(_ prices: Prices) throws {
    let shelf = try Shelf(catalog: [.make("monthly", prices.micros, period: prices.period)])
    let answers = (1...prices.lines).map { number in
      let row = monthly("\(number)", 0, 31) { $0.originalTransactionID = OriginalTransactionID("\(number)") }
      return ImportedAnswer(
        answer: makeAnswer(at: day(2), row), status: 0, appUserID: AppUserID("u\(number)"), observedAt: day(2)
      )
    }
    _ = try shelf.store.add(Array(answers.dropLast()), at: day(3))
    _ = try shelf.store.add(answers.suffix(1), at: day(3))
    #expect(try shelf.store.answersFromSums() == prices.fit)
    for panel in Panel.allCases {
      let question = Question(panel: panel, at: day(3))
      let report = try shelf.store.report(question)
      #expect(differences(report, try shelf.store.evidenceLedger().report(question)) == [])
    }
    #expect(try shelf.store.status(at: day(3), check: true).integrity == "ok")
    let question = Question(panel: .movement, at: day(3))
    guard let figures = try shelf.store.report(question).data.movement else { return }
    let month = Int128(prices.period.monthlyMicros(ofPrice: prices.micros))
    #expect(figures["mrr"]?.rows.first?.values.last == month * Int128(prices.lines))
    #expect(try shelf.store.rows(behind: question, figure: "mrr.end").rows.count == prices.lines)
    try shelf.store.rebuild()
    #expect(try shelf.store.answersFromSums() == prices.fit)
  }
}
