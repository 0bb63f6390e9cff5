import GRDB

extension Shelf {
  /// Stored evidence without row numbers, which depend on the order of arrival.
  func evidence() throws -> [String] {
    try raw { db in try Self.tables.flatMap { try rows(of: $0.name, sql: $0.sql, db) } }
  }

  private func rows(of name: String, sql: String, _ db: Database) throws -> [String] {
    let numbers: Set = ["id", "chain_id", "line_id", "duplicate_of", "row"]
    return try GRDB.Row.fetchAll(db, sql: sql).map { row in
      "\(name): " + row.filter { !numbers.contains($0.0) }.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
    }.sorted()
  }

  private static let tables: [(name: String, sql: String)] = [
    (
      "chains",
      """
      SELECT environment, original_transaction_id, validated_at_ms, renewals_observed_at_ms, gone_at_ms, validations
      FROM chains
      """
    ),
    (
      "holders",
      """
      SELECT c.original_transaction_id, q.fingerprint, q.app_user_id, k.first_observed_at_ms
      FROM receipt_chains k JOIN chains c ON c.id = k.chain_id JOIN receipts q ON q.id = k.receipt_id
      """
    ),
    (
      "transactions",
      """
      SELECT c.original_transaction_id, l.subscription_group_id, l.is_family_shared, d.transaction_id AS other, x.*
      FROM transactions x JOIN chains c ON c.id = x.chain_id LEFT JOIN lines l ON l.id = x.line_id
        LEFT JOIN transactions d ON d.id = x.duplicate_of
      """
    ),
    (
      "sightings",
      """
      SELECT x.transaction_id AS of, h.is_partial, h.observed_at_ms, h.through_ms, h.expires_date_ms,
        h.cancellation_date_ms, h.cancellation_reason, h.is_upgraded, h.is_lagging
      FROM transaction_sightings h JOIN transactions x ON x.id = h.transaction_id
      """
    ),
    (
      "renewals",
      """
      SELECT c.original_transaction_id AS of,
        row_number() OVER (PARTITION BY r.chain_id, r.observed_at_ms ORDER BY r.id) AS place, r.*
      FROM renewal_infos r JOIN chains c ON c.id = r.chain_id
      """
    ),
    (
      "spans",
      """
      SELECT c.original_transaction_id, l.subscription_group_id, l.is_family_shared, p.from_ms, p.until_ms,
        p.monthly_micros, p.access_end_ms, p.expires_ms, p.user_number, p.charge_micros, p.charge_currency, s.state, s.kind, s.auto_renew, s.reason, s.is_unseen,
        x.transaction_id, r.observed_at_ms, r.product_id, r.auto_renew_status
      FROM spans p JOIN lines l ON l.id = p.line_id JOIN chains c ON c.id = l.chain_id
        JOIN position_classes s ON s.id = p.position_id JOIN transactions x ON x.id = p.current_id
        LEFT JOIN renewal_infos r ON r.id = p.renewal_info_id
      """
    ),
    ("events", "SELECT * FROM v_events"),
  ]
}
