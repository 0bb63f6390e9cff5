import GRDB
import Subscriptions

extension StoreQuery {
  func upgrades(_ sums: LedgerSums, _ facts: WindowFacts) throws -> UpgradeFigures {
    var figures = UpgradeFigures()
    for group in facts.whole.groups(.upgrade, question) {
      guard let detail = group.kind.upgrade else { continue }
      figures.immediate.count(detail.direction, by: group.rows)
      if detail.isConfirmed { figures.confirmed += group.rows } else { figures.estimated += group.rows }
      if let refund = group.amount {
        figures.proratedRefund.add(refund)
      } else {
        figures.unpriced += group.rows
      }
    }
    figures.undated = facts.whole.groups(.undated, question).reduce(0) { $0 + $1.rows }
    for group in facts.whole.groups(.change, question) {
      figures.atRenewal.count(ChangeDirection(rawValue: group.detail) ?? .unranked, by: group.rows)
    }
    figures.set(pendingOf: sums, question)
    // An overview lists none.
    if question.panel == .upgrades { figures.rows = try entries() }
    return figures
  }

  private var upgraded: String {
    transactions("x.upgraded = 1 AND x.upgraded_at_ms > :from AND x.upgraded_at_ms <= :to")
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
