import GRDB
import Subscriptions

/// Migration 6: makes rows and shapes of the tables of transactions and events, page by page, and leaves what is derived to be
/// looked at anew.
struct RowsMigration {
  let db: Database
  /// Is told of the copying as of a walk through all chains, and then of the walk that follows.
  let progress: RebuildProgress

  private static let page: Int64 = 50_000

  func run() throws {
    try dropViews()
    try db.execute(sql: Schema.rows + "\n" + Schema.layers)
    let chains = try Int.fetchOne(db, sql: "SELECT count(*) FROM chains") ?? 0
    try walk("chains", Self.common)
    try db.execute(sql: Self.shapes)
    try walk("transactions", Self.transactions) { share in progress(Int(Double(chains) * share), chains) }
    try db.execute(sql: Self.rest)
    // Views and tables share their names.
    try db.execute(sql: Schema.rowViews + "\n" + Views.all)
    try TallyRebuild(db: db, progress: progress).run()
    try db.execute(sql: Schema.rowIndexes)
  }

  private func dropViews() throws {
    for view in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'view'") {
      try db.execute(sql: "DROP VIEW \(view)")
    }
  }

  /// Runs a statement for one page of a table's rows after the other: what a single one replaces is kept in memory.
  private func walk(_ table: String, _ sql: String, _ note: (Double) -> Void = { _ in }) throws {
    guard let first = try Int64.fetchOne(db, sql: "SELECT min(id) FROM \(table)"),
      let last = try Int64.fetchOne(db, sql: "SELECT max(id) FROM \(table)")
    else { return }
    let statement = try db.makeStatement(sql: sql)
    for start in stride(from: first, through: last, by: Int64.Stride(Self.page)) {
      let end = min(last, start + Self.page - 1)
      try statement.execute(arguments: ["first": start, "last": end])
      note(Double(end - first + 1) / Double(last - first + 1))
    }
  }

  private static let common = """
    UPDATE chains SET
      common_observed_at_ms = (SELECT min(k.first_observed_at_ms) FROM receipt_chains k WHERE k.chain_id = chains.id),
      (common_original_purchase_date_ms, common_app_account_token) = (
        SELECT x.original_purchase_date_ms, x.app_account_token FROM transactions x WHERE x.chain_id = chains.id
        ORDER BY x.id LIMIT 1)
    WHERE id >= :first AND id <= :last
    """

  private static let shapes = """
    INSERT INTO transaction_shapes (\(TransactionShape.columns.joined(separator: ", ")))
    SELECT DISTINCT \(TransactionShape.columns.joined(separator: ", ")) FROM transactions
    """

  private static let transactions = """
    INSERT INTO transaction_rows (id, chain_id, line_id, shape_id, transaction_id, web_order_line_item_id, purchase_date_ms,
      expires_date_ms, effective_end_ms, original_purchase_date_ms, app_account_token, first_observed_at_ms,
      observed_at_ms, confirmed_at_ms, cancellation_date_ms, cancelled_at_ms, refunded_at_ms, upgraded_at_ms,
      prorated_refund_micros, duplicate_of)
    SELECT x.id, x.chain_id, x.line_id, s.id, \(StoredID.sql("x.transaction_id")),
      \(StoredID.sql("x.web_order_line_item_id")), x.purchase_date_ms, x.expires_date_ms,
      iif(x.effective_end_ms IS NOT x.expires_date_ms OR x.kind IS 'trial', x.effective_end_ms, NULL),
      iif(x.original_purchase_date_ms IS c.common_original_purchase_date_ms, NULL,
        ifnull(x.original_purchase_date_ms, \(ChainCommon.noDate.rawValue))),
      iif(x.app_account_token IS c.common_app_account_token, NULL,
        ifnull(x.app_account_token, \(ChainCommon.noToken))),
      nullif(x.first_observed_at_ms, c.common_observed_at_ms), nullif(x.observed_at_ms, x.first_observed_at_ms),
      x.confirmed_at_ms, x.cancellation_date_ms, x.cancelled_at_ms, x.refunded_at_ms, x.upgraded_at_ms,
      x.prorated_refund_micros, x.duplicate_of
    FROM transactions x CROSS JOIN chains c ON c.id = x.chain_id CROSS JOIN transaction_shapes s ON \(isAlike)
    WHERE x.id >= :first AND x.id <= :last
    """

  private static let isAlike = TransactionShape.columns.map { "s.\($0) IS x.\($0)" }.joined(
    separator: " AND ")

  /// Events are derived. Each table leaves its pages to the next, so that the file does not grow to twice its size.
  private static let rest = """
    DROP TABLE events;
    DROP TABLE transactions;
    CREATE INDEX transactions_chain ON transaction_rows (chain_id);
    \(moved("transaction_changes", "transaction_id, observed_at_ms, expires_date_ms, cancellation_date_ms, cancellation_reason, is_upgraded, through_ms, is_lagging"))
    \(moved("partial_sightings", "transaction_id, observed_at_ms, through_ms, expires_date_ms, cancellation_date_ms, cancellation_reason, is_upgraded, is_lagging"))
    \(moved("phases", "line_id, from_ms, until_ms, current_id, is_live, revoking_id, renewal_info_id"))
    """

  private static func moved(_ table: String, _ columns: String) -> String {
    """
    INSERT INTO \(table)_6 (\(columns)) SELECT \(columns) FROM \(table);
    DROP TABLE \(table);
    ALTER TABLE \(table)_6 RENAME TO \(table);
    """
  }
}
