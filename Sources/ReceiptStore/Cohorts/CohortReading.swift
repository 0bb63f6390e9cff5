import GRDB
import Subscriptions

/// Reads the cells of cohorts for a query: whole months and days from sums, and the rest of the current day
/// from lines.
struct CohortReading {
  private let ledger: StoredLedger
  private let question: Question
  private let all: [Int64: CohortShape]
  /// Classes whose lines are selected, by number.
  private let lines: [Int64: CohortShape]
  /// Classes with the sums of these lines, by number: classes without origin unless the query is narrower.
  private let sums: [Int64: CohortShape]
  private(set) var counts = CohortCounts()

  init(_ ledger: StoredLedger, _ question: Question) throws {
    (self.ledger, self.question) = (ledger, question)
    all = try CohortShape.fetchAll(ledger.db)
    lines = all.filter { $0.value.origin.map(question.includes) ?? false }
    sums =
      question.isOfEveryOrigin
      ? all.filter { $0.value.origin == nil && question.environment.contains($0.value.environment) } : lines
  }

  private var isWhole: Bool { question.isOfEveryOrigin }
  private var now: CivilMonth { CivilMonth(of: question.at) }

  /// Numbers of the classes whose lines are selected, for SQL.
  var numbers: String { lines.keys.sorted().map(String.init).joined(separator: ", ") }

  mutating func readAll() throws {
    guard !lines.isEmpty, let first = try firstMonth(), first <= now else { return }
    var whole: [CivilMonth: [(currency: CurrencyCode?, sum: RowSum)]] = [:]
    for months in 0...min(now.index - first.index, CohortLife.mostMonths) {
      try forEach(monthly, months, in: Int64(first.index)..<Int64(now.index - months)) { at, currency, sum in
        let month = CivilMonth(index: Int(at))
        counts.add(sum, currency, to: .retained, months: months, of: month)
        if months == 0 { whole[month, default: []].append((currency, sum)) }
      }
      try readReached(now.adding(months: -months), months)
    }
    for (month, sums) in whole {
      for months in 0..<min(now.index - month.index, CohortLife.mostMonths + 1) {
        for (currency, sum) in sums { counts.add(sum, currency, to: .of, months: months, of: month) }
      }
    }
  }

  mutating func read(_ month: CivilMonth, _ months: Int) throws {
    guard !lines.isEmpty, month.adding(months: months) <= now else { return }
    guard month.adding(months: months) < now else { return try readReached(month, months) }
    let range = Int64(month.index)..<Int64(month.index + 1)
    for (part, after) in [(CohortCell.Part.retained, months), (.of, 0)] {
      try forEach(monthly, after, in: range) { _, currency, sum in
        counts.add(sum, currency, to: part, months: months, of: month)
      }
    }
  }

  /// Reads a cell whose end is in the query's month.
  private mutating func readReached(_ month: CivilMonth, _ months: Int) throws {
    guard let reach = CohortReach(month, months: months, by: question.at) else { return }
    let time = question.at.millisecondOfDay
    for (part, after) in [(CohortCell.Part.retained, months), (.of, 0)] {
      func add(_ grain: CohortGrain, _ range: Range<Int64>) throws {
        try forEach(grain, after, in: range) { _, currency, sum in
          counts.add(sum, currency, to: part, months: months, of: month)
        }
      }
      try add(isWhole ? .day : .dayOfOrigin, reach.days)
      guard isWhole else { continue }
      for day in reach.cut { try add(.hour, day * 24..<day * 24 + time / Milliseconds.hour) }
    }
    for day in reach.cut {
      let start = Instant(milliseconds: day * Milliseconds.day)
      let told = isWhole ? time - time % Milliseconds.hour : 0
      try readLines(from: start + told, through: start + time, month, months)
    }
  }

  private mutating func readLines(
    from start: Instant, through end: Instant, _ month: CivilMonth, _ months: Int
  ) throws {
    var statement = try BoundStatement(
      """
      SELECT l.cohort_class_id, \(Self.columns("a")), s.position_id, \(Self.columns("s"))
      FROM lines l INDEXED BY lines_first_paid
        CROSS JOIN spans a ON a.line_id = l.id AND a.from_ms = l.first_paid_ms
        CROSS JOIN spans s ON s.line_id = l.id AND s.from_ms = (
          SELECT max(f.from_ms) FROM spans f WHERE f.line_id = l.id AND f.from_ms <= l.first_paid_ms + ?)
      WHERE l.first_paid_ms >= ? AND l.first_paid_ms <= ?\(isWhole ? "" : " AND l.cohort_class_id IN (\(numbers))")
      """, ledger.db)
    // Equal for all lines of a day.
    statement.bind(start.adding(months: months) - start)
    statement.bind(start)
    statement.bind(end)
    try statement.forEach { row in
      guard let kind = lines[row[0]] else { return }
      counts.add(Self.sum(row, 1), kind.currency, to: .of, months: months, of: month)
      guard let position = ledger.positions[row[4]], position.set == .paid else { return }
      counts.add(Self.sum(row, 5), position.currency, to: .retained, months: months, of: month)
    }
  }

  private static func columns(_ span: String) -> String {
    "\(span).monthly_micros, \(span).converted_micros, \(span).unconverted"
  }

  private static func sum(_ row: BoundStatement.Columns, _ first: CInt) -> RowSum {
    RowSum(rows: 1, micros: row.sum(first), converted: row.converted(first + 1))
  }

  private var monthly: CohortGrain { isWhole ? .month : .monthOfOrigin }

  private func forEach(
    _ grain: CohortGrain, _ months: Int, in range: Range<Int64>,
    _ body: (Int64, CurrencyCode?, RowSum) throws -> Void
  ) throws {
    guard !range.isEmpty else { return }
    var statement = try BoundStatement(
      """
      SELECT at, class_id, lines, micros, converted_micros, unconverted FROM cohort_sums
      WHERE grain = ? AND months = ? AND at >= ? AND at < ?\(isWhole ? "" : " AND class_id IN (\(numbers))")
      """, ledger.db)
    statement.bind(grain.rawValue)
    statement.bind(months)
    statement.bind(range.lowerBound)
    statement.bind(range.upperBound)
    try statement.forEach { row in
      guard let kind = sums[row[1]] else {
        guard all[row[1]] == nil else { return }
        throw AttributeDictionary.missing(row[1], of: "cohorts")
      }
      let lines = row.count(2)
      try body(
        row[0], kind.currency,
        RowSum(
          rows: Int64(lines), micros: row.sum(3, of: lines), converted: row.converted(4, of: lines)))
    }
  }

  private func firstMonth() throws -> CivilMonth? {
    let first = try FetchedRow.fetchOne(
      ledger.db.cachedStatement(
        sql: "SELECT at FROM cohort_sums WHERE grain = ? AND months = 0 ORDER BY at LIMIT 1"),
      arguments: [CohortGrain.month.rawValue])
    return try first.map { CivilMonth(index: try $0[0]) }
  }
}

/// Lines of a cohort that have reached the same day and time a number of months later, by an instant (METRICS
/// §5, Cohorts).
package struct CohortReach: Equatable {
  /// Days since 1970 whose lines have all reached it.
  package var days: Range<Int64>
  /// Days with lines that have reached it and lines that have not. There are several if the later month is
  /// shorter, since they all fall on its last day.
  package var cut: [Int64]

  /// Returns `nil` if all of the month has reached it, or nothing.
  ///
  /// - Parameter months: Number of months later.
  package init?(_ month: CivilMonth, months: Int, by t: Instant) {
    let today = t.civilDate
    guard month.adding(months: months) == CivilMonth(of: today),
      let first = CivilDate(year: month.year, month: month.month, day: 1)?.daysSince1970
    else { return nil }
    let length = CivilDate.days(inMonth: month.month, of: month.year)
    let isLast = today.day == CivilDate.days(inMonth: today.month, of: today.year)
    let passed = min(today.day - 1, length)
    days = Int64(first)..<Int64(first + passed)
    let reached = isLast ? length : min(today.day, length)
    cut = reached > passed ? (passed..<reached).map { Int64(first + $0) } : []
  }
}

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
    guard !reading.numbers.isEmpty else { return FigureRows(count: 0, rows: []) }
    let count: Int
    if let cell {
      try reading.read(cell.month, cell.months)
      count = reading.counts.lines(cell)
    } else {
      try reading.readAll()
      count = reading.counts.firstPaid
    }
    func found(_ rows: [FigureRow]) -> FigureRows {
      FigureRows(count: count, rows: rows, behind: cell, question, reading.counts)
    }
    guard count > 0, question.limit > 0 else { return found([]) }
    let candidates = try candidates(cell, question, among: reading.numbers)
    let months = cell?.months ?? 0
    var rows: [FigureRow] = []
    var seen: Set<Int64> = []
    for candidate in candidates {
      let t = candidate.first.adding(months: months)
      // Rows of the same instant still have to be sorted.
      if rows.count >= question.limit, rows[question.limit - 1].at > t { break }
      guard try isBehind(cell, candidate, at: t), seen.insert(candidate.chain).inserted else { continue }
      rows += try lines(ofChain: candidate.chain).compactMap { $0.cohortRow(question, cell) }
      rows.sort(by: FigureRow.inOrder)
    }
    return found(Array(rows.prefix(question.limit)))
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
