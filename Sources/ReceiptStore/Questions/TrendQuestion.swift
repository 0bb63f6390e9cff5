import GRDB
import Subscriptions

extension Asking {
  func trend() throws -> Trend {
    var trend = Trend(observedSince: try observedSince())
    if question.panel.stateFigures != nil {
      try addStates(at: question.window.from, nil, to: &trend)
      for (place, end) in question.window.stretchEnds.enumerated() {
        try addStates(at: end, place, to: &trend)
      }
    }
    try addRows(to: &trend, isBefore: false)
    try Asking(db: db, question: question.before, catalog: catalog).addRows(to: &trend, isBefore: true)
    trend.forgetUnobserved(question)
    return trend
  }

  private func observedSince() throws -> Instant? {
    try rows(
      """
      SELECT min(r.observed_at_ms) FROM renewal_infos r JOIN chains c ON c.id = r.chain_id
      WHERE \(environment("c.environment")) AND c.id IN (SELECT chain_id FROM lines)
      """
    ).first?[0]
  }

  private func addStates(at t: Instant, _ place: Int?, to trend: inout Trend) throws {
    var asked = question
    asked.at = t
    for row in try Asking(db: db, question: asked, catalog: catalog).rows(
      """
      SELECT state, sum(monthly_micros), currency, count(*) FROM (\(judged))
      WHERE state IN ('trial', 'active', 'grace', 'billing_retry') AND \(product("product_id"))
      GROUP BY state, currency
      """)
    {
      guard let state = row[0] as LineState? else { continue }
      trend.add(
        lines: row[3], in: state, monthly: row.money(micros: 1, currency: 2), of: question.panel, at: place)
    }
  }

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

  /// As `Window.stretch(of:)` counts them.
  private func stretches(of sql: String, _ columns: String, by groups: String? = nil) throws -> [FetchedRow] {
    try rows(
      """
      SELECT (at_ms - :from - 1) * \(Trend.stretches) / (:to - :from) AS stretch, \(columns) FROM (\(sql))
      GROUP BY stretch\(groups.map { ", " + $0 } ?? "")
      """)
  }
}
