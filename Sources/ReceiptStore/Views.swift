/// Documented, read-only views for people who open the file with another program. Times are UTC milliseconds,
/// as in the tables.
enum Views {
  static let all = documented.map(\.sql).joined(separator: "\n")

  /// Name, description of a row, and statement of each view.
  static let documented: [(name: String, meaning: String, sql: String)] = [
    ("v_lines", "a subscription, as it is now", lines),
    ("v_transactions", "a transaction, with what it means among its neighbours", transactions),
    ("v_refunds", "a refunded transaction", refunds),
    ("v_upgrades", "a transaction that was upgraded away, with its proration", upgrades),
    ("v_events", "an event of the feed; app_user_id is whom a transfer went to", events),
    (
      "v_receipts", "a receipt without its contents: its last check, when it is due, why it is dead", receipts
    ),
    ("v_rates", "an exchange rate: units of a currency for one of the base, from a day on", rates),
    ("v_sweeps", "a sweep: who started it, what it brought, how it ended", sweeps),
  ]

  /// SQL expression for the current time in milliseconds since 1970.
  private static let now = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"

  private static let lines = """
    CREATE VIEW v_lines AS
    SELECT original_transaction_id, environment, subscription_group_id, is_family_shared, state, product_id, kind,
      expires_date_ms, access_end_ms, auto_renew_status, expiration_intent, price_micros, currency, monthly_micros,
      validated_at_ms
    FROM (\(StandingLines.at(now)));
    """

  private static let transactions = """
    CREATE VIEW v_transactions AS
    SELECT c.environment, c.original_transaction_id, x.*
    FROM transactions x JOIN chains c ON c.id = x.chain_id;
    """

  private static let refunds = """
    CREATE VIEW v_refunds AS
    SELECT c.environment, c.original_transaction_id, x.transaction_id, x.product_id, x.kind, x.refunded_at_ms,
      x.refund_reason, x.price_micros, x.currency, x.storefront, x.partial_refund_micros
    FROM transactions x JOIN chains c ON c.id = x.chain_id WHERE x.refunded_at_ms IS NOT NULL;
    """

  private static let upgrades = """
    CREATE VIEW v_upgrades AS
    SELECT c.environment, c.original_transaction_id, x.transaction_id, x.product_id, x.successor_product_id,
      x.upgrade_direction, x.upgraded_at_ms, x.upgrade_confirmed, x.purchase_date_ms, x.expires_date_ms,
      x.price_micros, x.currency, x.prorated_refund_micros
    FROM transactions x JOIN chains c ON c.id = x.chain_id WHERE x.upgraded = 1;
    """

  private static let events = """
    CREATE VIEW v_events AS
    SELECT c.environment, c.original_transaction_id, e.id, e.chain_id, e.is_family_share, e.type, e.apple_type,
      e.apple_subtype, e.reason, e.flow, e.transaction_id, e.product_id, e.new_product_id, e.app_user_id, e.period_type,
      e.is_trial_conversion, e.effective_at_ms, e.observed_at_ms, e.observed_after_ms, e.is_told_by_notification_alone,
      e.notification_type, e.notified_at_ms
    FROM events e JOIN chains c ON c.id = e.chain_id;
    """

  /// Receipts without their contents.
  private static let receipts = """
    CREATE VIEW v_receipts AS
    SELECT q.id, q.app_user_id, q.bundle_id, q.environment, q.imported_at_ms, q.last_checked_at_ms,
      q.last_validated_at_ms, q.full_answer_at_ms, q.last_status, q.attempts, q.failing_since_ms, q.last_failure,
      q.next_due_at_ms, q.due_rule, q.dead_reason, q.dead_at_ms, q.has_contents, e.sweep_id AS leased_by,
      (SELECT count(*) FROM receipt_chains k WHERE k.receipt_id = q.id) AS chains
    FROM receipts q LEFT JOIN leases e ON e.receipt_id = q.id AND e.until_ms > \(now);
    """

  /// Exchange rates. `rate` is NULL if the publisher declares that there is none.
  private static let rates = """
    CREATE VIEW v_rates AS
    SELECT base, currency, date(day * 86400, 'unixepoch') AS day, rate_picos / 1e12 AS rate FROM rates;
    """

  private static let sweeps = """
    CREATE VIEW v_sweeps AS
    SELECT s.*, (SELECT group_concat(t.status || ': ' || t.count, ', ') FROM sweep_statuses t WHERE t.sweep_id = s.id)
      AS statuses,
      (SELECT group_concat(t.http || ': ' || t.count, ', ') FROM sweep_http t WHERE t.sweep_id = s.id) AS http,
      (SELECT group_concat(ifnull(t.bundle_id, 'unknown') || ': ' || t.reason, ', ') FROM sweep_stopped_apps t
        WHERE t.sweep_id = s.id) AS stopped_apps
    FROM sweeps s;
    """
}
