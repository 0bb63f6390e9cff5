import GRDB
import Subscriptions

/// Rows behind dated facts: candidates are chosen by their shapes, newest first, and their lines are
/// evaluated until there are enough rows.
extension StoredLedger {
  func factRows(
    behind figure: String?, _ counts: DatedCounts, _ question: Question, _ reading: ListReading,
    _ forecast: inout RenewalForecast
  ) throws -> [FigureRow] {
    let facts = FactRows(question, catalog)
    var rows: [FigureRow] = []
    for family in facts.families {
      let most = min(counts.rows(behind: figure, of: family), question.limit)
      if most > 0 {
        rows += try self.rows(behind: figure, of: family, facts, question, atMost: most, reading)
      }
    }
    guard facts.hasDueLines, figure == nil || DueHorizon.of(figure) != nil else { return rows }
    let most = min(counts.rows(behind: figure), question.limit)
    return try rows + dueRows(behind: figure, facts, most, question, reading, &forecast)
  }

  private func rows(
    behind figure: String?, of family: FactFamily, _ facts: FactRows, _ question: Question,
    atMost most: Int, _ reading: ListReading
  ) throws -> [FigureRow] {
    let window = question.window
    guard let date = family.rowDate,
      classes.numbersOfFacts.keys.contains(where: {
        $0.family == family && facts.mayBeBehind(figure, $0)
      })
    else { return [] }
    let candidates = """
      SELECT \(date.column), chain_id, shape_id, \(RowDates.columns) FROM transaction_rows
      WHERE \(date.column) > ? AND \(date.column) <= ? AND \(date.condition) ORDER BY \(date.column) DESC
      """
    var scanned = 0
    let shapes = try SharedQuery(db, question).shapes(
      of: "shape_id", ["product_id"], in: "transaction_shapes")
    func need(_ count: Int) -> SharedNeed {
      .rows(
        of: SharedTable.transactions.name,
        where: """
          \(date.column) > \(window.from.rawValue) AND \(date.column) <= \(window.to.rawValue) AND \(date.condition)
            AND \(shapes) ORDER BY \(date.column) DESC, chain_id, id LIMIT \(count)
          """)
    }
    let fetched = SharedNeeds.rows(atLeast: 2 * most + 200, need)
    let rows = try newest(most, behind: figure, of: candidates, [window.from, window.to], reading) { row in
      scanned += 1
      let dates = RowDates(row, from: 3)
      let isCandidate = try cache.facts(ofShape: row[2], dates, db).contains {
        $0.kind.family == family && facts.mayBeBehind(figure, $0.kind, at: row.date(0))
      }
      return isCandidate ? row[1] : nil
    } rows: { chain in
      guard family == .oneTimeRefund else {
        return chain.lines(catalog: catalog).flatMap { facts.rows(of: $0, [family]) }
      }
      return OneTimePurchase.all(of: chain).compactMap(facts.row)
    }
    if rows.count < most, scanned >= fetched { SharedNeeds.require(need(SharedNeeds.larger(fetched))) }
    return rows
  }

  /// Returns the first rows of the list of due renewals, if the store is shared; otherwise `nil`.
  private func sharedDueRows(
    behind figure: String?, _ facts: FactRows, _ most: Int, _ question: Question, _ reading: ListReading
  ) throws -> [FigureRow]? {
    guard SharedNeeds.current != nil else { return nil }
    let query = try SharedQuery(db, question).due(
      horizon: DueHorizon.allCases.map(\.milliseconds).max() ?? 0, isFirst: figure != nil)
    func limited(_ count: Int) -> String { "\(query) LIMIT \(count)" }
    let count = SharedNeeds.rows(atLeast: 2 * most + 200) { .query(limited($0)) }
    guard let chains = SharedNeeds.chains(limited(count)) else { return nil }
    let rows = try dueRows(of: chains, behind: figure, facts, question, reading)
    // If only a few of the renewals are behind the figure, a larger query is needed.
    if rows.count < most, chains.count >= count {
      SharedNeeds.require(.query(limited(SharedNeeds.larger(count))))
    }
    return rows
  }

  /// Returns the first rows of due renewals; if the store is not shared, adds every renewal to `forecast`.
  private func dueRows(
    behind figure: String?, _ facts: FactRows, _ most: Int, _ question: Question, _ reading: ListReading,
    _ forecast: inout RenewalForecast
  ) throws -> [FigureRow] {
    if let shared = try sharedDueRows(behind: figure, facts, most, question, reading) { return shared }
    let query = StoreQuery(db: db, question: question)
    let horizon = DueHorizon.allCases.map(\.milliseconds).max() ?? 0
    let candidates = """
      SELECT d.expires_date_ms, d.chain_id, \(StoredStanding.columns)
      FROM transaction_rows d CROSS JOIN \(StoredStanding.source(line: "d.line_id"))
      WHERE d.line_id IS NOT NULL AND d.expires_date_ms > :t AND d.expires_date_ms <= :t + \(horizon)
        AND p.current_id = d.id AND p.from_ms <= :t AND p.until_ms > :t AND NOT l.is_family_shared
        AND \(query.environment("c.environment")) AND \(query.product("z.product_id"))
      ORDER BY d.expires_date_ms \(figure == nil ? "DESC" : "ASC")
      """
    var chains: Set<Int64> = []
    var (count, last): (Int, Instant?) = (0, nil)
    try db.forEach(candidates, query.arguments) { row in
      let (span, environment) = try (StoredStanding.span(row, from: 2), StoreEnvironment(row.text(2) ?? ""))
      guard let renewal = facts.due(span, environment, behind: figure) else { return }
      forecast.add(renewal, at: span.expires)
      // Renewals with the same expiry as the last one are included, because ids decide their order.
      guard count < question.limit || span.expires == last else { return }
      (count, last) = (count + 1, span.expires)
      chains.insert(row[1])
    }
    return try dueRows(of: chains, behind: figure, facts, question, reading)
  }

  private func dueRows(
    of chains: some Sequence<Int64>, behind figure: String?, _ facts: FactRows, _ question: Question,
    _ reading: ListReading
  ) throws -> [FigureRow] {
    var rows: [FigureRow] = []
    try forEachChain(chains) { chains in
      let found = chains.flatMap { $0.lines(catalog: catalog) }.compactMap { facts.due($0)?.row }
        .filter { row in figure.map(row.figures.contains) ?? true }
      rows += found
      try reading.advance(by: found.count)
    }
    return Array(rows.sorted(by: FigureRow.order(behind: figure)).prefix(question.limit))
  }

  /// Returns the newest rows of the candidates' chains.
  ///
  /// - Parameters:
  ///   - candidates: Query for the candidates, newest first. Its first column is their date.
  ///   - chain: Receives a candidate, and returns the id of its chain, or `nil` to skip it.
  func newest(
    _ most: Int, behind figure: String?, of candidates: String, _ arguments: StatementArguments,
    _ reading: ListReading, chain: (BoundStatement.Columns) throws -> Int64?, rows: (Chain) -> [FigureRow]
  ) throws -> [FigureRow] {
    struct Enough: Error {}
    var newest: [FigureRow] = []
    /// Number of rows found since `newest` was last cut to the limit.
    var fresh = 0
    var seen: Set<Int64> = []
    var waiting: [Int64] = []
    /// Number of chains that still have to be fetched, if the store is shared.
    var missing = 0
    func readWaiting() throws {
      missing += SharedNeeds.require(chains: waiting)
      let before = newest.count
      try forEachChain(waiting) { chains in
        let found = chains.flatMap(rows).filter { row in figure.map(row.figures.contains) ?? true }
        newest += found
        try reading.advance(by: found.count)
      }
      fresh += newest.count - before
      waiting = []
    }
    let batch = min(200, max(16, most / 4))
    do {
      try db.forEach(candidates, arguments) { candidate in
        if waiting.count == batch {
          try readWaiting()
          if missing >= most { throw Enough() }
          if newest.count >= most, fresh >= most / 8 {
            newest = Array(newest.sorted(by: FigureRow.inOrder).prefix(most))
            fresh = 0
          }
        }
        if waiting.isEmpty, newest.count == most, fresh == 0, let last = newest.last,
          last.at > candidate.date(0)
        {
          throw Enough()
        }
        if let id = try chain(candidate), seen.insert(id).inserted { waiting.append(id) }
      }
    } catch is Enough {}
    try readWaiting()
    return Array(newest.sorted(by: FigureRow.inOrder).prefix(most))
  }
}
