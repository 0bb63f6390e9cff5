import GRDB
import Subscriptions

/// The rows behind balances and flows: how many there are, and the chains that hold the newest of them.
extension StoredLedger {
  /// The lines and transactions behind a panel's figures, or behind one of them.
  func rows(behind figure: String?, _ question: Question) throws -> FigureRows {
    if let groups = question.panel.declaredFigures { return try rows(behind: figure, of: groups, question) }
    let standing = try rows(behind: figure, of: PanelCounting(question.panel), question)
    let facts = try factRows(behind: figure, question)
    let rows = (standing.rows + facts.rows).sorted(by: FigureRow.inOrder)
    return FigureRows(count: standing.count + facts.count, rows: Array(rows.prefix(question.limit)))
  }

  private func rows(
    behind figure: String?, of groups: some FigureCounting, _ question: Question
  ) throws -> FigureRows {
    let window = question.window
    let sums = try sums(of: window)
    var count: Int64 = 0
    var holding: Set<Int64> = []
    for (end, balances, t) in [
      (FigureDefinition.WindowEnd.start, sums.start, window.from), (.end, sums.end, window.to),
    ] {
      let positions = Set(
        Set(classes.values.map(\.new)).filter { position in
          groups.counted(position, at: end, question).map { isBehind(figure, $0) } ?? false
        })
      guard !positions.isEmpty else { continue }
      for (position, balance) in balances where positions.contains(position) { count += balance.lines }
      let changes = classes.filter { positions.contains($1.new) }.map(\.key)
      holding.formUnion(try standing(changes, at: t, question.limit))
    }
    var changed: [Int64] = []
    for (number, kind) in classes {
      let rows = groups.counted(kind, question).count { isBehind(figure, $0) }
      guard rows > 0, let sum = sums.changes[kind] else { continue }
      changed.append(number)
      count += Int64(rows) * sum.lines
    }
    holding.formUnion(try chains(changed, in: window, question.limit))
    let found = try holding.flatMap { try lines(ofChain: $0).flatMap { groups.rows(of: $0, question) } }
      .filter { row in figure.map(row.figures.contains) ?? true }
      .sorted(by: FigureRow.inOrder)
    return FigureRows(count: Int(clamping: count), rows: Array(found.prefix(question.limit)))
  }

  private func isBehind(_ figure: String?, _ counted: Counted) -> Bool {
    figure.map(counted.paths.contains) ?? true
  }

  /// Chains of lines that stood somewhere at an instant since one of these changes, the latest first.
  private func standing(_ changes: [Int64], at t: Instant, _ limit: Int) throws -> [Int64] {
    try chains(
      changes,
      where: """
        s.from_ms <= :to AND NOT EXISTS (
          SELECT 1 FROM spans n WHERE n.line_id = s.line_id AND n.from_ms > s.from_ms AND n.from_ms <= :to
            AND n.change_id IS NOT NULL)
        """, ["to": t, "limit": limit])
  }

  /// Chains of lines with one of these changes in a window, the latest first.
  private func chains(_ changes: [Int64], in window: Window, _ limit: Int) throws -> [Int64] {
    try chains(
      changes, where: "s.from_ms > :from AND s.from_ms <= :to",
      ["from": window.from, "to": window.to, "limit": limit])
  }

  private func chains(
    _ changes: [Int64], where condition: String, _ arguments: StatementArguments
  ) throws -> [Int64] {
    guard !changes.isEmpty else { return [] }
    return try FetchedRow.fetchAll(
      db,
      sql: """
        SELECT l.chain_id FROM spans s CROSS JOIN lines l ON l.id = s.line_id CROSS JOIN chains c ON c.id = l.chain_id
        WHERE \(condition) AND s.change_id IN (\(changes.sorted().map(String.init).joined(separator: ", ")))
        ORDER BY s.from_ms DESC, \(StoreQuery.idOrder("c.original_transaction_id")), c.environment LIMIT :limit
        """, arguments: arguments
    ).map { $0[0] }
  }

  func lines(ofChain id: Int64) throws -> [Line] { try chain(id)?.lines(catalog: catalog) ?? [] }

  func chain(_ id: Int64) throws -> Chain? {
    try ChainRecord.fetch(id, db).flatMap { try evidence.chain($0) }
  }
}
