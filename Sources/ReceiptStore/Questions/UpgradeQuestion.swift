import GRDB
import Subscriptions

extension StoredLedger {
  func upgrades(_ question: Question) throws -> [UpgradeEntry] {
    let query = StoreQuery(db: db, question: question)
    // The order of the tables makes SQLite use the index on the date.
    return try db.rows(
      """
      SELECT c.original_transaction_id, x.transaction_id, x.product_id, x.successor_product_id, x.upgrade_direction,
        x.upgraded_at_ms, x.upgrade_confirmed, x.price_micros, x.currency, x.prorated_refund_micros, x.storefront
      FROM transactions x CROSS JOIN lines l ON l.id = x.line_id CROSS JOIN chains c ON c.id = l.chain_id
      WHERE x.upgraded = 1 AND x.upgraded_at_ms > :from AND x.upgraded_at_ms <= :t
        AND \(query.environment("c.environment")) AND NOT l.is_family_shared AND \(query.product("x.product_id"))
      ORDER BY x.upgraded_at_ms DESC, \(StoreQuery.idOrder("x.transaction_id")) LIMIT :limit
      """, query.arguments
    ) { row in
      UpgradeEntry(
        originalTransactionId: row.text(0) ?? OriginalTransactionID(""),
        transactionId: row.text(1) ?? TransactionID(""), fromProductId: row.text(2) ?? ProductID(""),
        toProductId: row.text(3), kind: row.value(4) ?? .unranked, upgradedAtMs: row.date(5),
        confirmed: row.isTrue(6), price: row.money(7), proratedRefundMicros: row.amount(9),
        storefront: row.text(10))
    }
  }
}
