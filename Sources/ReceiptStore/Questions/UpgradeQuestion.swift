import GRDB
import Subscriptions

extension Asking {
  func upgrades() throws -> UpgradeFigures {
    var figures = UpgradeFigures()
    for row in try rows(
      """
      SELECT x.upgrade_direction, x.upgrade_confirmed, sum(x.prorated_refund_micros), x.currency, count(*)
      FROM \(upgraded) GROUP BY x.upgrade_direction, x.upgrade_confirmed, x.currency
      """)
    {
      let rows: Int = row[4]
      figures.immediate.count((row[0] as ChangeDirection?) ?? .unranked, by: rows)
      if row[1] as Bool { figures.confirmed += rows } else { figures.estimated += rows }
      if let refund = row.money(micros: 2, currency: 3) {
        figures.proratedRefund.add(refund)
      } else {
        figures.unpriced += rows
      }
    }
    figures.undated = try count(
      of:
        "x.upgraded AND x.upgraded_at_ms IS NULL AND x.purchase_date_ms > :from AND x.purchase_date_ms <= :to"
    )
    try addChangesAtRenewal(to: &figures)
    figures.pending = try pending()
    figures.rows = try entries()
    return figures
  }

  private var upgraded: String {
    transactions("x.upgraded = 1 AND x.upgraded_at_ms > :from AND x.upgraded_at_ms <= :to")
  }

  private func count(of condition: String) throws -> Int {
    try rows("SELECT count(*) FROM \(transactions(condition))").first?[0] ?? 0
  }

  private func addChangesAtRenewal(to figures: inout UpgradeFigures) throws {
    let changed = transactions(
      "x.change_direction IS NOT NULL AND x.purchase_date_ms > :from AND x.purchase_date_ms <= :to")
    for row in try rows("SELECT x.change_direction, count(*) FROM \(changed) GROUP BY x.change_direction") {
      figures.atRenewal.count((row[0] as ChangeDirection?) ?? .unranked, by: row[1])
    }
  }

  private func pending() throws -> Int {
    try rows(
      """
      SELECT count(*) FROM (\(judged))
      WHERE auto_renew_status = 1 AND auto_renew_product_id <> product_id
        AND state IN ('trial', 'active', 'grace', 'billing_retry') AND \(product("product_id"))
      """
    ).first?[0] ?? 0
  }

  private func entries() throws -> [UpgradeFigures.Entry] {
    try rows(
      """
      SELECT c.original_transaction_id, x.transaction_id, x.product_id, x.successor_product_id, x.upgrade_direction,
        x.upgraded_at_ms, x.upgrade_confirmed, x.price_micros, x.currency, x.prorated_refund_micros
      FROM \(upgraded)
      ORDER BY x.upgraded_at_ms DESC, \(Self.idOrder("x.transaction_id")) LIMIT :limit
      """
    ).map { row in
      UpgradeFigures.Entry(
        originalTransactionId: row[0], transactionId: row[1], fromProductId: row[2], toProductId: row[3],
        kind: (row[4] as ChangeDirection?) ?? .unranked, upgradedAtMs: row[5], confirmed: row[6],
        price: row.money(micros: 7, currency: 8), proratedRefundMicros: row[9])
    }
  }
}
