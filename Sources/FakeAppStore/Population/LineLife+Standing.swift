import Subscriptions

/// Where a line stands, as *Get All Subscription Statuses* tells it.
extension LineLife {
  /// *App Store Server API › status*.
  enum Status: Int64, CaseIterable, Sendable {
    case active = 1
    case expired, billingRetry, grace, revoked
  }

  /// The newest row of the chain, which what was upgraded away is only where there is no other; nil before the first.
  func current(at t: Instant) -> Transaction? { currentRow(at: t)?.transaction(at: t) }

  /// The same, with what it will become.
  func currentRow(at t: Instant) -> LifeRow? {
    let seen = rows.compactMap { row in row.transaction(at: t).map { (row: row, transaction: $0) } }
    let standing = seen.filter { !$0.transaction.isUpgraded }
    return (standing.isEmpty ? seen : standing).max { left, right in
      let (a, b) = (left.transaction, right.transaction)
      return (a.expiresDate ?? a.purchaseDate, a.purchaseDate) < (
        b.expiresDate ?? b.purchaseDate, b.purchaseDate
      )
    }?.row
  }

  /// Nil before the first purchase.
  func status(at t: Instant) -> Status? {
    guard let current = current(at: t), let expires = current.expiresDate else { return nil }
    if current.cancellationDate != nil, !current.isUpgraded { return .revoked }
    if expires > t { return .active }
    guard let info = renewalInfo(at: t), info.isInBillingRetryPeriod == true else { return .expired }
    return info.gracePeriodExpiresDate.map { $0 > t } == true ? .grace : .billingRetry
  }

  /// Since when the line has gone on without a gap of more than 60 days; nil before the first purchase.
  func recentStart(at t: Instant) -> Instant? {
    let seen = rows.compactMap { $0.transaction(at: t) }.sorted(by: Transaction.inOrder)
    var (start, paidUntil): (Instant?, Instant) = (nil, .distantPast)
    for row in seen {
      if start == nil || row.purchaseDate > paidUntil + 60 * Milliseconds.day { start = row.purchaseDate }
      paidUntil = max(paidUntil, row.expiresDate ?? row.purchaseDate)
    }
    return start
  }
}
