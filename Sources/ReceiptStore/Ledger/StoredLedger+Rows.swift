import GRDB
import Subscriptions

extension StoredLedger {
  func rows(behind figure: String?, _ question: Question, _ reading: ListReading) throws -> FigureRows {
    if question.panel == .cohorts {
      return try cohortRows(behind: figure.flatMap(CohortCell.init(path:)), question)
    }
    let sums = try sums(of: question.window)
    let counts = try DatedCounts(question, from: self, summingRowsBehind: figure)
    let standing = try standing(behind: figure, sums, question)
    let episodes = EpisodeCounting(question)
    let dated = counts.rows(behind: figure)
    let count = standing.count + dated
    reading.all = min(count, question.limit)
    var forecast = RenewalForecast(in: question.reportingCurrency)
    let rows =
      try rows(behind: figure, standing, question, reading)
      + factRows(behind: figure, counts, question, reading, &forecast)
      + self.rows(behind: figure, of: episodes, atMost: min(dated, question.limit), reading)
    let first = Array(rows.sorted(by: FigureRow.order(behind: figure)).prefix(question.limit))
    var found = FigureRows(count: count, rows: first, behind: figure, question, sums, counts)
    if DueHorizon.of(figure) != nil, SharedNeeds.current == nil { found.forecast = forecast }
    return found
  }

  private struct Standing {
    var count = 0
    var chains: Set<Int64> = []
  }

  private func standing(behind figure: String?, _ sums: LedgerSums, _ question: Question) throws -> Standing {
    let (counting, window) = (PanelCounting(question.panel), question.window)
    var count: Int64 = 0
    var holding: Set<Int64> = []
    for (end, balances, t) in [
      (FigureDefinition.WindowEnd.start, sums.start, window.from), (.end, sums.end, window.to),
    ] {
      let positions = Set(
        Set(numberedChanges.map(\.kind.new)).filter { position in
          counting.counted(position, at: end, question).map { isBehind(figure, $0) } ?? false
        })
      guard !positions.isEmpty else { continue }
      for (position, balance) in balances where positions.contains(position) { count += balance.rows }
      let changes = numberedChanges.filter { positions.contains($0.kind.new) }.map(\.number)
      holding.formUnion(try standing(changes, at: t, question.limit))
    }
    var changed: [Int64] = []
    for (number, kind) in numberedChanges {
      let rows = counting.counted(kind, question).count { isBehind(figure, $0) }
      guard rows > 0, let sum = sums.changes[kind] else { continue }
      changed.append(number)
      count += Int64(rows) * sum.lines
    }
    holding.formUnion(try chains(changed, in: window, question.limit))
    return Standing(count: Int(clamping: count), chains: holding)
  }

  private func rows(
    behind figure: String?, _ standing: Standing, _ question: Question, _ reading: ListReading
  ) throws -> [FigureRow] {
    var found: [FigureRow] = []
    try forEachChain(standing.chains) { chains in
      let rows = chains.flatMap { $0.lines(catalog: catalog) }.flatMap {
        PanelCounting(question.panel).rows(of: $0, question)
      }
      .filter { row in figure.map(row.figures.contains) ?? true }
      found += rows
      try reading.advance(by: rows.count)
    }
    return Array(found.sorted(by: FigureRow.inOrder).prefix(question.limit))
  }

  private func isBehind(_ figure: String?, _ counted: Counted) -> Bool {
    figure.map(counted.paths.contains) ?? true
  }

  /// Returns the chains of lines whose last change up to an instant is one of `changes`, latest first.
  private func standing(_ changes: [Int64], at t: Instant, _ limit: Int) throws -> [Int64] {
    if let shared = SharedNeeds.chains(SharedQuery.standing(changes, at: t, limit)) { return shared }
    return try chains(
      changes,
      where: """
        s.from_ms <= :to AND NOT EXISTS (
          SELECT 1 FROM spans n WHERE n.line_id = s.line_id AND n.from_ms > s.from_ms AND n.from_ms <= :to
            AND n.change_id IS NOT NULL)
        """, ["to": t, "limit": limit])
  }

  /// Returns the chains of lines with one of `changes` in a window, latest first.
  private func chains(_ changes: [Int64], in window: Window, _ limit: Int) throws -> [Int64] {
    if let shared = SharedNeeds.chains(SharedQuery.chains(changes, in: window, limit)) { return shared }
    return try chains(
      changes, where: "s.from_ms > :from AND s.from_ms <= :to",
      ["from": window.from, "to": window.to, "limit": limit])
  }

  private func chains(
    _ changes: [Int64], where condition: String, _ arguments: StatementArguments
  ) throws -> [Int64] {
    guard !changes.isEmpty else { return [] }
    return try db.rows(
      """
      SELECT l.chain_id FROM spans s CROSS JOIN lines l ON l.id = s.line_id CROSS JOIN chains c ON c.id = l.chain_id
      WHERE \(condition) AND s.change_id IN (\(changes.sorted().map(String.init).joined(separator: ", ")))
      ORDER BY s.from_ms DESC, \(StoreQuery.idOrder("c.original_transaction_id")), c.environment LIMIT :limit
      """, arguments
    ) { $0[0] }
  }

  func lines(ofChain id: Int64) throws -> [Line] {
    SharedNeeds.require(chains: [id])
    return try ChainRecord.fetch(id, db).flatMap { try evidence.chain($0) }?.lines(catalog: catalog) ?? []
  }

  /// Reads chains in pages whose ids are close together, because a page also reads the chains in between.
  func forEachChain(_ ids: some Sequence<Int64>, _ body: ([Chain]) throws -> Void) throws {
    SharedNeeds.require(chains: ids)
    var page: [Int64] = []
    func read() throws {
      guard !page.isEmpty else { return }
      let ids = page.map(String.init).joined(separator: ", ")
      let records = try ChainRecord.fetch("chains c WHERE c.id IN (\(ids)) ORDER BY c.id", [], db)
      page = []
      try body(evidence.chains(records))
    }
    for id in ids.sorted() {
      if let last = page.last, page.count == 200 || !(0...8).contains(id &- last) { try read() }
      page.append(id)
    }
    try read()
  }
}
