import GRDB
import Subscriptions

extension StoreQuery {
  func billingRetry(_ sums: LedgerSums) throws -> BillingRetryFigures {
    var figures = BillingRetryFigures(sums, question)
    figures.users = try users(.billingRetry)
    figures.grace.users = try users(.grace)
    figures.rows = try entries()
    return figures
  }

  /// Spans in a state at `:t`, of the few lines that have not paid.
  private func unpaid(_ state: LineState) -> String {
    let found = ledger.numbers { $0.state == state && question.includes($0) }
    // SQLite finds no way through an index for none.
    let numbers = (found.isEmpty ? [-1] : found).map(String.init)
    return """
      spans p INDEXED BY spans_unpaid CROSS JOIN lines l ON l.id = p.line_id
      WHERE p.is_unpaid AND p.until_ms > :t AND p.from_ms <= :t AND p.position_id IN (\(numbers.joined(separator: ", ")))
        AND NOT l.is_family_shared
      """
  }

  /// METRICS §2, User: of the receipts that hold the line, or the chain where the app gave none.
  private func users(_ state: LineState) throws -> Int {
    let rows = try rows(
      """
      SELECT count(DISTINCT nullif(q.app_user_id, '')) + count(DISTINCT iif(
        ifnull(q.app_user_id, '') = '' AND NOT EXISTS (
          SELECT 1 FROM receipt_chains o JOIN receipts p ON p.id = o.receipt_id
          WHERE o.chain_id = f.chain_id AND p.app_user_id <> ''), f.chain_id, NULL))
      FROM (SELECT l.chain_id FROM \(unpaid(state))) AS f
        LEFT JOIN receipt_chains k ON k.chain_id = f.chain_id
        LEFT JOIN receipts q ON q.id = k.receipt_id
      """)
    return rows.first?[0] ?? 0
  }

  private func entries() throws -> [BillingRetryFigures.Entry] {
    try rows(
      """
      SELECT c.original_transaction_id, x.product_id, x.expires_date_ms, (
          SELECT q.app_user_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
          WHERE k.chain_id = f.chain_id AND q.app_user_id <> ''
          ORDER BY \(Self.idOrder("q.app_user_id")) LIMIT 1)
      FROM (SELECT l.chain_id, p.current_id FROM \(unpaid(.billingRetry))) AS f
        CROSS JOIN chains c ON c.id = f.chain_id CROSS JOIN transactions x ON x.id = f.current_id
      ORDER BY x.expires_date_ms DESC, \(Self.idOrder("c.original_transaction_id")) LIMIT :limit
      """
    ).map { row in
      BillingRetryFigures.Entry(
        originalTransactionId: row[0], appUserId: row[3], productId: row[1], expired: row[2], at: question.at)
    }
  }
}
