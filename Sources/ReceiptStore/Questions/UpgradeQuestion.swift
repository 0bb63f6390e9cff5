import GRDB
import Subscriptions

extension Asking {
  func upgrades() throws -> UpgradeFigures {
    var figures = UpgradeFigures()
    for group in try upgradeGroups() {
      figures.immediate.count(group.direction, by: group.rows)
      if group.isConfirmed { figures.confirmed += group.rows } else { figures.estimated += group.rows }
      if let refund = group.proratedRefund {
        figures.proratedRefund.add(refund)
      } else {
        figures.unpriced += group.rows
      }
    }
    figures.undated = try undated()
    try addChangesAtRenewal(to: &figures)
    figures.pending = try pending()
    // An overview lists none.
    if question.panel == .upgrades { figures.rows = try entries() }
    return figures
  }

  private func upgradeGroups() throws -> [UpgradeGroup] {
    if let tallied {
      return tallied.window.whole.groups(.upgrade, question).map { group in
        let (direction, isConfirmed) = TallyKey.upgrade(group.detail)
        return UpgradeGroup(
          direction: direction, isConfirmed: isConfirmed, proratedRefund: group.amount, rows: group.rows)
      }
    }
    return try rows(
      """
      SELECT x.upgrade_direction, x.upgrade_confirmed, sum(x.prorated_refund_micros), x.currency, count(*)
      FROM \(upgraded) GROUP BY x.upgrade_direction, x.upgrade_confirmed, x.currency
      """
    ).map { row in
      UpgradeGroup(
        direction: row[0] ?? .unranked, isConfirmed: row[1],
        proratedRefund: row.money(micros: 2, currency: 3), rows: row[4])
    }
  }

  private func undated() throws -> Int {
    if let tallied {
      return tallied.window.whole.groups(.undated, question).reduce(0) { $0 + $1.rows }
    }
    return try count(
      of:
        "x.upgraded AND x.upgraded_at_ms IS NULL AND x.purchase_date_ms > :from AND x.purchase_date_ms <= :to"
    )
  }

  private var upgraded: String {
    transactions("x.upgraded = 1 AND x.upgraded_at_ms > :from AND x.upgraded_at_ms <= :to")
  }

  private func count(of condition: String) throws -> Int {
    try rows("SELECT count(*) FROM \(transactions(condition))").first?[0] ?? 0
  }

  private func addChangesAtRenewal(to figures: inout UpgradeFigures) throws {
    if let tallied {
      for group in tallied.window.whole.groups(.change, question) {
        figures.atRenewal.count(ChangeDirection(rawValue: group.detail) ?? .unranked, by: group.rows)
      }
      return
    }
    let changed = transactions(
      "x.change_direction IS NOT NULL AND x.purchase_date_ms > :from AND x.purchase_date_ms <= :to")
    for row in try rows("SELECT x.change_direction, count(*) FROM \(changed) GROUP BY x.change_direction") {
      figures.atRenewal.count((row[0] as ChangeDirection?) ?? .unranked, by: row[1])
    }
  }

  private func pending() throws -> Int {
    if let tallied {
      return tallied.standing.groups(question).reduce(0) { sum, group in
        let counts = [.trial, .active, .grace, .billingRetry].contains(group.detail.state)
        return sum + (counts && group.detail.isChangePending ? group.lines : 0)
      }
    }
    return try rows(
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

/// Upgraded rows that count alike.
private struct UpgradeGroup {
  var direction: ChangeDirection
  var isConfirmed: Bool
  /// Nil is unpriced.
  var proratedRefund: Money?
  var rows: Int
}
