import GRDB
import Subscriptions

/// The rows behind what is counted by dates: candidates are told by their shapes, the newest first, and looked at with their whole
/// lines until there are enough.
extension StoredLedger {
  func factRows(behind figure: String?, _ question: Question) throws -> FigureRows {
    let facts = FactRows(question, catalog)
    let counts = try FactCounts(question, from: self)
    var count = counts.rows(behind: figure)
    var rows: [FigureRow] = []
    for family in facts.families {
      let most = min(counts.rows(behind: figure, of: family), question.limit)
      if most > 0 { rows += try self.rows(behind: figure, of: family, facts, question, atMost: most) }
    }
    if facts.hasDueLines {
      let due = try due(question).rows(behind: figure)
      if due > 0 { rows += try dueRows(behind: figure, facts, question, atMost: min(due, question.limit)) }
      count += due
    }
    return FigureRows(count: count, rows: rows)
  }

  private func rows(
    behind figure: String?, of family: FactFamily, _ facts: FactRows, _ question: Question,
    atMost most: Int
  ) throws -> [FigureRow] {
    let window = question.window
    guard let date = family.rowDate,
      numberedFacts.values.contains(where: {
        $0.family == family && facts.mayBeBehind(figure, $0)
      })
    else { return [] }
    let candidates = try FetchedRow.fetchCursor(
      db,
      sql: """
        SELECT \(date.column), chain_id, shape_id, \(RowDates.columns) FROM transaction_rows
        WHERE \(date.column) > ? AND \(date.column) <= ? AND \(date.condition) ORDER BY \(date.column) DESC
        """, arguments: [window.from, window.to])
    return try newest(most, behind: figure, of: candidates) { row in
      let dates = RowDates(row, from: 3)
      let isCandidate = try factClasses.facts(ofShape: row[2], dates, db).contains {
        $0.kind.family == family && facts.mayBeBehind(figure, $0.kind, at: row[0])
      }
      return isCandidate ? row[1] : nil
    } rows: { chain in
      guard family == .oneTimeRefund else {
        return chain.lines(catalog: catalog).flatMap { facts.rows(of: $0, [family]) }
      }
      return Population([chain], receipts: 0, catalog: catalog).oneTime.compactMap(facts.row)
    }
  }

  private func dueRows(
    behind figure: String?, _ facts: FactRows, _ question: Question, atMost most: Int
  ) throws -> [FigureRow] {
    let query = StoreQuery(db: db, question: question)
    let horizon = DueHorizon.allCases.map(\.milliseconds).max() ?? 0
    let candidates = try FetchedRow.fetchCursor(
      db,
      sql: """
        SELECT ifnull(p.access_end_ms, d.expires_date_ms) AS access_end_ms, d.chain_id, \(StoredStanding.columns)
        FROM transaction_rows d CROSS JOIN \(StoredStanding.source(line: "d.line_id"))
        WHERE d.line_id IS NOT NULL AND d.expires_date_ms > :t AND d.expires_date_ms <= :t + \(horizon)
          AND p.current_id = d.id AND p.from_ms <= :t AND p.until_ms > :t AND NOT l.is_family_shared
          AND \(query.environment("c.environment")) AND \(query.product("z.product_id"))
        ORDER BY access_end_ms DESC
        """, arguments: query.arguments)
    return try newest(most, behind: figure, of: candidates) { row in
      let (span, environment) = (StoredStanding.span(row, from: 2), StoreEnvironment(row[2] as String))
      return span.due(at: question.at, environment, catalog).rows(behind: figure) > 0 ? row[1] : nil
    } rows: { chain in
      chain.lines(catalog: catalog).compactMap(facts.dueRow)
    }
  }

  /// - Parameters:
  ///   - candidates: rows that begin with their date, the newest first.
  ///   - chain: whose a candidate is; nil where it is none after all.
  private func newest(
    _ most: Int, behind figure: String?, of candidates: RowCursor, chain: (FetchedRow) throws -> Int64?,
    rows: (Chain) -> [FigureRow]
  ) throws -> [FigureRow] {
    var newest: [FigureRow] = []
    var seen: Set<Int64> = []
    while let candidate = try candidates.next() {
      if newest.count == most, let last = newest.last, last.at > candidate[0] { break }
      guard let id = try chain(candidate), seen.insert(id).inserted, let chain = try self.chain(id) else {
        continue
      }
      let found = rows(chain).filter { row in figure.map(row.figures.contains) ?? true }
      newest = Array((newest + found).sorted(by: FigureRow.inOrder).prefix(most))
    }
    return newest
  }
}
