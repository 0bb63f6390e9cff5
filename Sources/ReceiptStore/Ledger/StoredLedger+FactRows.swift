import GRDB
import Subscriptions

/// The rows behind what is counted by dates: candidates are told by their shapes, the newest first, and looked at with their whole
/// lines until there are enough.
extension StoredLedger {
  func factRows(behind figure: String?, _ question: Question) throws -> FigureRows {
    let facts = FactRows(question, catalog)
    var count = try FactCounts(question, from: self).rows(behind: figure)
    var rows: [FigureRow] = []
    for family in count == 0 ? [] : facts.families {
      rows += try self.rows(behind: figure, of: family, facts, question)
    }
    if facts.hasDueLines {
      let due = try due(question).rows(behind: figure)
      if due > 0 { rows += try dueRows(behind: figure, facts, question) }
      count += due
    }
    return FigureRows(count: count, rows: rows)
  }

  private func rows(
    behind figure: String?, of family: FactFamily, _ facts: FactRows, _ question: Question
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
    return try newest(question.limit, behind: figure, of: candidates) { row in
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

  private func dueRows(behind figure: String?, _ facts: FactRows, _ question: Question) throws -> [FigureRow]
  {
    let candidates = try FetchedRow.fetchCursor(
      db,
      sql: """
        SELECT d.expires_date_ms, d.chain_id, \(StoredStanding.columns)
        FROM transaction_rows d CROSS JOIN \(StoredStanding.source(line: "d.line_id"))
        WHERE d.line_id IS NOT NULL AND d.expires_date_ms > :t AND d.expires_date_ms <= :t + :horizon
          AND p.current_id = d.id AND p.from_ms <= :t AND p.until_ms > :t AND NOT l.is_family_shared
        ORDER BY d.expires_date_ms DESC
        """,
      arguments: [
        "t": question.at, "horizon": Int64(DueFigures.horizons.max() ?? 0) * Milliseconds.day,
      ])
    return try newest(question.limit, behind: figure, of: candidates) { row in
      let span = StoredStanding.span(row, from: 2)
      return span.due(at: question.at, catalog).rows(behind: figure) > 0 ? row[1] : nil
    } rows: { chain in
      chain.lines(catalog: catalog).compactMap(facts.dueRow)
    }
  }

  /// - Parameters:
  ///   - candidates: rows that begin with their date, the newest first.
  ///   - chain: whose a candidate is; nil where it is none after all.
  private func newest(
    _ limit: Int, behind figure: String?, of candidates: RowCursor,
    chain: (FetchedRow) throws -> Int64?, rows: (Chain) -> [FigureRow]
  ) throws -> [FigureRow] {
    var found: [FigureRow] = []
    var seen: Set<Int64> = []
    while let candidate = try candidates.next() {
      let at: Instant = candidate[0]
      if found.count >= limit, found.lazy.filter({ $0.at > at }).count >= limit { break }
      guard let id = try chain(candidate), seen.insert(id).inserted, let chain = try self.chain(id) else {
        continue
      }
      found += rows(chain).filter { row in figure.map(row.figures.contains) ?? true }
    }
    return found
  }
}
