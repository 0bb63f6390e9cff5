import GRDB
import Subscriptions

/// Which lines stand in which state at an instant: from the tallies at the end of its minute, less what changes between the two.
struct StandingTallies {
  var states: TallyBook.Sums = [:]
  /// Fresh lines in each environment.
  var fresh: [StoreEnvironment: Int64] = [:]

  /// The tallies at the end of the instant's minute are given.
  init(
    at t: Instant, states: TallyBook.Sums, fresh: TallyBook.Sums, _ asking: Asking, _ keys: TallyKeys
  ) throws {
    self.states = states
    for (known, value) in fresh { self.fresh[known.key.environment, default: 0] += value.count }
    let end = minuteStart(of: t) + (Milliseconds.minute - 1)
    guard t < end else { return }
    try add(1, at: t, between: (t, end), asking, keys)
    try add(-1, at: end, between: (t, end), asking, keys)
    try addFresh(t, end, asking)
  }

  /// Lines for which something may change after the first instant, up to the second.
  private static let changing = """
    SELECT line_id FROM phases WHERE until_ms > :now AND until_ms <= :end
    UNION SELECT line_id FROM transactions
      WHERE purchase_date_ms > :now AND purchase_date_ms <= :end AND line_id IS NOT NULL
    UNION SELECT line_id FROM transactions
      WHERE expires_date_ms > :now AND expires_date_ms <= :end AND line_id IS NOT NULL
    UNION SELECT line_id FROM transactions
      WHERE expires_date_ms > :now - \(billingRetryMilliseconds) AND expires_date_ms <= :end - \(billingRetryMilliseconds)
        AND line_id IS NOT NULL
    UNION SELECT l.id FROM renewal_infos r JOIN lines l ON l.chain_id = r.chain_id
      WHERE r.grace_period_expires_date_ms > :now AND r.grace_period_expires_date_ms <= :end
    UNION SELECT l.id FROM chains c JOIN lines l ON l.chain_id = c.id WHERE c.validated_at_ms > :now
    """

  private mutating func add(
    _ sign: Int64, at t: Instant, between span: (now: Instant, end: Instant), _ asking: Asking,
    _ keys: TallyKeys
  ) throws {
    let judged = StateSQL.judgedLines(
      at: ":t",
      from: """
        (\(Self.changing)) AS f CROSS JOIN lines l ON l.id = f.line_id CROSS JOIN phases p ON p.line_id = l.id
        """,
      columns: """
        (SELECT min(o.observed_at_ms) > :t FROM renewal_infos o WHERE o.chain_id = l.chain_id) AS is_ahead_of_observation,
        """, filter: "NOT l.is_family_shared")
    let rows = try FetchedRow.fetchCursor(
      asking.db.cachedStatement(
        sql: """
          SELECT environment, product_id, state, kind, auto_renew_status,
            ifnull(auto_renew_status = 1 AND auto_renew_product_id <> product_id, 0),
            ifnull(is_ahead_of_observation AND is_live AND expires_date_ms <= :t
              AND :t < expires_date_ms + \(billingRetryMilliseconds), 0),
            sum(monthly_micros), currency, count(*), sum(ifnull(validated_at_ms > :t - \(Milliseconds.day), 0))
          FROM (\(judged)) GROUP BY 1, 2, 3, 4, 5, 6, 7, currency
          """), arguments: ["t": t, "now": span.now, "end": span.end])
    while let row = try rows.next() {
      guard let state = row[2] as LineState?, let kind = row[3] as PeriodKind? else { continue }
      let environment = StoreEnvironment(row[0] as String)
      let isOver = state == .expired || state == .revoked
      let detail = StandingDetail(
        state: state, kind: isOver ? .standard : kind, autoRenew: isOver ? nil : row[4],
        isChangePending: !isOver && row[5], isUnobserved: row[6])
      let standing = TallyKey.standing(
        detail, product: row[1], monthly: row.money(micros: 7, currency: 8), in: environment)
      let value = TallyValue(count: row[9], micros: standing.value.micros)
      states.add(keys.known(standing.key), sign < 0 ? -value : value)
      if state.hasAccess { fresh[environment, default: 0] += sign * (row[10] as Int64) }
    }
  }

  /// Lines that nothing happens to but that their validation comes to be a day old.
  private mutating func addFresh(_ t: Instant, _ end: Instant, _ asking: Asking) throws {
    let rows = try FetchedRow.fetchAll(
      asking.db.cachedStatement(
        sql: """
          SELECT c.environment, count(*) FROM chains c CROSS JOIN lines a ON a.chain_id = c.id
          WHERE c.validated_at_ms > :now - \(Milliseconds.day) AND c.validated_at_ms <= :end - \(Milliseconds.day)
            AND NOT a.is_family_shared AND \(Self.hasAccess) AND a.id NOT IN (\(Self.changing))
          GROUP BY c.environment
          """), arguments: ["now": t, "end": end])
    for row in rows { fresh[StoreEnvironment(row[0] as String), default: 0] += row[1] as Int64 }
  }

  /// Of a line `a` of which nothing changes up to `:end`.
  private static let hasAccess = """
    ifnull(a.access_until_ms > :now, EXISTS (
      SELECT 1 FROM (\(StateSQL.judgedLines(at: ":now", filter: "l.id = a.id")))
      WHERE state IN ('trial', 'active', 'grace')))
    """
}

/// Lines that stand alike.
struct StandingGroup {
  var product: ProductID
  var detail: StandingDetail
  /// Of all of them together.
  var monthly: Money?
  var lines: Int
}

extension StandingTallies {
  /// The lines that a question is about.
  func groups(_ question: Question) -> [StandingGroup] { states.groups(question) }
}

extension TallyBook.Sums {
  func groups(_ question: Question) -> [StandingGroup] {
    compactMap { known, value in
      let key = known.key
      guard value.count != 0, question.includes(key), let detail = known.standing else { return nil }
      return StandingGroup(
        product: key.product, detail: detail,
        monthly: key.currency.map { Money(micros: value.micros, currency: $0) }, lines: Int(value.count))
    }
  }
}
