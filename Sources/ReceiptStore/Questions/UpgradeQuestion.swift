import GRDB
import Subscriptions

extension StoredLedger {
  func upgrades(_ question: Question) throws -> [UpgradeEntry] {
    let query = StoreQuery(db: db, question: question)
    let upgraded = query.transactions(
      "x.upgraded = 1 AND x.upgraded_at_ms > :from AND x.upgraded_at_ms <= :t")
    return try query.rows(
      """
      SELECT c.original_transaction_id, x.transaction_id, x.product_id, x.successor_product_id, x.upgrade_direction,
        x.upgraded_at_ms, x.upgrade_confirmed, x.price_micros, x.currency, x.prorated_refund_micros, x.storefront
      FROM \(upgraded)
      ORDER BY x.upgraded_at_ms DESC, \(StoreQuery.idOrder("x.transaction_id")) LIMIT :limit
      """
    ).map { row in
      try UpgradeEntry(
        originalTransactionId: row[0], transactionId: row[1], fromProductId: row[2], toProductId: row[3],
        kind: (row[4] as ChangeDirection?) ?? .unranked, upgradedAtMs: row[5], confirmed: row[6],
        price: row.money(micros: 7, currency: 8), proratedRefundMicros: row.amount(9), storefront: row[10])
    }
  }
}
