import GRDB
import Subscriptions

extension StoredLedger {
  func cohorts(_ question: Question) throws -> CohortCounts {
    var reading = try CohortReading(self, question)
    try reading.readAll()
    return reading.counts
  }

  /// Returns the lines behind a cell, or every line of any cohort. Evaluates only candidates, the latest
  /// first.
  func cohortRows(behind cell: CohortCell?, _ question: Question) throws -> FigureRows {
    var reading = try CohortReading(self, question)
    var totals = RowTotals(behind: cell?.path, question)
    guard !reading.numbers.isEmpty else { return FigureRows(count: 0, rows: []) }
    let count: Int
    if let cell {
      try reading.read(cell.month, cell.months)
      count = reading.counts.lines(cell.part, months: cell.months, of: cell.month)
    } else {
      try reading.readAll()
      count = reading.counts.firstPaid
    }
    totals.add(reading.counts, cell)
    guard count > 0, question.limit > 0 else { return FigureRows(count: count, rows: [], totals) }
    let candidates = try candidates(cell, question, among: reading.numbers)
    let (source, months) = (CohortRows(question, cell), cell?.months ?? 0)
    var rows: [FigureRow] = []
    var seen: Set<Int64> = []
    for candidate in candidates {
      let t = candidate.first.adding(months: months)
      // Rows of the same instant still have to be sorted.
      if rows.count >= question.limit, rows[question.limit - 1].at > t { break }
      guard try isBehind(cell, candidate, at: t), seen.insert(candidate.chain).inserted else { continue }
      rows += try lines(ofChain: candidate.chain).compactMap(source.row)
      rows.sort(by: FigureRow.inOrder)
    }
    return FigureRows(count: count, rows: Array(rows.prefix(question.limit)), totals)
  }

  private struct Candidate {
    var first: Instant
    var line: Int64
    var chain: Int64
  }

  private func candidates(
    _ cell: CohortCell?, _ question: Question, among numbers: String
  ) throws -> [Candidate] {
    let (start, end) =
      cell.map { ($0.month.start, $0.month.adding(months: 1).start - 1) }
      ?? (.distantPast, question.at)
    var statement = try BoundStatement(
      """
      SELECT first_paid_ms, id, chain_id FROM lines INDEXED BY lines_first_paid
      WHERE first_paid_ms >= ? AND first_paid_ms <= ? AND cohort_class_id IN (\(numbers))
      ORDER BY first_paid_ms DESC
      """, db)
    statement.bind(start)
    statement.bind(end)
    var found: [Candidate] = []
    try statement.forEach { row in
      let candidate = Candidate(first: row.appleDate(0) ?? .appStoreOpening, line: row[1], chain: row[2])
      if let cell, candidate.first.adding(months: cell.months) > question.at { return }
      found.append(candidate)
    }
    guard let cell else { return found }
    // Several days may fall on the last day of a month, each with its times.
    return found.map { (at: $0.first.adding(months: cell.months), line: $0) }.sorted { $0.at > $1.at }
      .map(\.line)
  }

  private func isBehind(_ cell: CohortCell?, _ candidate: Candidate, at t: Instant) throws -> Bool {
    guard let cell, cell.part != .of else { return true }
    var statement = try BoundStatement(
      "SELECT position_id FROM spans WHERE line_id = ? AND from_ms <= ? ORDER BY from_ms DESC LIMIT 1", db)
    statement.bind(candidate.line)
    statement.bind(t)
    var isPaid = false
    try statement.forEach { isPaid = positions[$0[0]]?.set == .paid }
    return (cell.part == .retained) == isPaid
  }
}

extension ReceiptStore {
  /// Returns the products, storefronts and offers of first payments, which cohorts can be narrowed to.
  public func cohortOrigins() throws(StoreError) -> [CohortOrigin] {
    try read("look for storefronts and offers in") { db in
      try CohortShape.fetchAll(db).values.compactMap(\.origin)
    }
  }
}
