import GRDB
import Subscriptions

extension Asking {
  func trend() throws -> Trend {
    if let tallied { return try tallied.trend(self) }
    var trend = Trend(of: question.window)
    if question.panel.stateFigures != nil {
      try addRunning(to: &trend)
      try addUnpaid(to: &trend)
    }
    try addRows(to: &trend, isBefore: false)
    try Asking(db: db, question: question.before, catalog: catalog).addRows(to: &trend, isBefore: true)
    trend.forget(question.panel, unobserved: try unobserved(), hasStart: try hasStart())
    return trend
  }

  private func hasStart() throws -> Bool {
    let found = try rows(
      """
      SELECT 1 FROM phases p JOIN lines l ON l.id = p.line_id JOIN chains c ON c.id = l.chain_id
        JOIN transactions x ON x.id = p.current_id
      WHERE p.until_ms > :start AND p.from_ms <= :start AND \(environment("c.environment")) AND NOT l.is_family_shared
        AND \(product("x.product_id")) LIMIT 1
      """)
    return !found.isEmpty
  }

  /// Lines with a period that runs, from the stretches in which it begins and ends: one look at each phase of the window.
  private func addRunning(to trend: inout Trend) throws {
    let end = "min(p.until_ms, x.expires_date_ms)"
    let found = try rows(
      """
      SELECT iif(x.kind = 'trial', 'trial', 'active') AS state,
        iif(p.from_ms <= :start, -1, iif(p.from_ms <= :from, 0, \(stretch(of: "p.from_ms")))) AS first,
        iif(\(end) > :to, \(question.window.stretchEnds.count), iif(\(end) <= :from, 0, \(stretch(of: end)))) AS last,
        x.currency, sum(x.monthly_micros), count(*)
      FROM phases p JOIN lines l ON l.id = p.line_id JOIN chains c ON c.id = l.chain_id
        JOIN transactions x ON x.id = p.current_id
      WHERE p.until_ms > :start AND p.from_ms <= :to AND p.is_live AND x.expires_date_ms > :start
        AND \(environment("c.environment")) AND NOT l.is_family_shared AND \(product("x.product_id"))
      GROUP BY state, first, last, x.currency
      """)
    for row in found {
      guard let state = row[0] as LineState? else { continue }
      let (first, last): (Int, Int) = (row[1], row[2])
      let (lines, monthly): (Int, Money?) = (row[5], row.money(micros: 4, currency: 3))
      let places = (first < 0 ? [nil] : []) + (max(0, first)..<max(0, first, last)).map(Optional.some)
      for place in places {
        trend.add(lines: lines, in: state, monthly: monthly, of: question.panel, at: place)
      }
    }
  }

  /// Lines whose period ended before the next one began, if it ever did, with the steps of the window at which they were so.
  private var gaps: String {
    let ends = [(-1, question.window.trendStart)] + question.window.stretchEnds.enumerated().map { ($0, $1) }
    let steps = question.panel.stateFigures == nil ? ends.prefix(1) : ends[...]
    return """
      WITH steps(place, t) AS (VALUES \(steps.map { "(\($0.0), \($0.1.rawValue))" }.joined(separator: ", "))),
        gaps AS MATERIALIZED (
          SELECT p.line_id, p.from_ms, max(p.from_ms, x.expires_date_ms) AS begins_ms, p.until_ms, x.expires_date_ms,
            (SELECT min(o.observed_at_ms) FROM renewal_infos o WHERE o.chain_id = l.chain_id) AS observed_ms
          FROM phases p JOIN lines l ON l.id = p.line_id JOIN chains c ON c.id = l.chain_id
            JOIN transactions x ON x.id = p.current_id
          WHERE p.until_ms > :start AND p.from_ms <= :to AND p.is_live AND p.until_ms > x.expires_date_ms
            AND x.expires_date_ms <= :to AND (x.expires_date_ms > :start - \(billingRetryMilliseconds)
              OR l.chain_id IN (SELECT chain_id FROM renewal_infos WHERE grace_period_expires_date_ms > :start))
            AND \(environment("c.environment")) AND NOT l.is_family_shared AND \(product("x.product_id")))
      """
  }

  private static let stepsOfGaps = "gaps g JOIN steps s ON s.t >= g.begins_ms AND s.t < g.until_ms"

  /// Lines in grace and in billing retry.
  private func addUnpaid(to trend: inout Trend) throws {
    let judged = StateSQL.judgedLines(
      at: "s.t",
      from: """
        \(Self.stepsOfGaps)
          JOIN phases p ON p.line_id = g.line_id AND p.from_ms = g.from_ms JOIN lines l ON l.id = p.line_id
        """, columns: "s.place, ")
    let found = try rows(
      """
      \(gaps)
      SELECT place, state, count(*) FROM (\(judged)) WHERE state IN ('grace', 'billing_retry') GROUP BY place, state
      """)
    for row in found {
      guard let state = row[1] as LineState? else { continue }
      trend.add(lines: row[2], in: state, monthly: nil, of: question.panel, at: Self.place(row[0]))
    }
  }

  /// The steps at which a line may have been in grace or in billing retry, which only a later renewal info could tell.
  private func unobserved() throws -> Set<Int?> {
    let found = try rows(
      """
      \(gaps)
      SELECT DISTINCT s.place FROM \(Self.stepsOfGaps)
      WHERE s.t < g.expires_date_ms + \(billingRetryMilliseconds) AND g.observed_ms > s.t
      """)
    return Set(found.map { Self.place($0[0]) })
  }

  /// -1 is the window's start.
  private static func place(_ number: Int) -> Int? { number < 0 ? nil : number }

  /// What happened in the question's window, stretch by stretch.
  ///
  /// - Parameter isBefore: adds it as a whole.
  private func addRows(to trend: inout Trend, isBefore: Bool) throws {
    if question.panel == .events {
      for row in try stretches(of: "SELECT e.effective_at_ms AS at_ms FROM \(eventsInWindow)", "count(*)") {
        trend.add(row[1], to: Panel.eventCount, at: isBefore ? nil : row[0])
      }
      return
    }
    for source in rowsOfWhatHappened {
      let found = try stretches(
        of: "SELECT * FROM (\(source.sql)) WHERE figures <> ''",
        "figures, count(*), sum(amount_micros), currency",
        by: "figures, currency")
      for row in found {
        trend.add(
          rows: row[2], naming: FigureRowSource.split(row[1]), amount: row.money(micros: 3, currency: 4),
          of: question.panel, at: isBefore ? nil : row[0])
      }
    }
  }

  private func stretch(of instant: String) -> String { question.window.stretch(ofColumn: instant) }

  private func stretches(of sql: String, _ columns: String, by groups: String? = nil) throws -> [FetchedRow] {
    try rows(
      """
      SELECT \(stretch(of: "at_ms")) AS stretch, \(columns) FROM (\(sql))
      GROUP BY stretch\(groups.map { ", " + $0 } ?? "")
      """)
  }
}
