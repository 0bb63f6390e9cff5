import GRDB
import Subscriptions

/// Reads the cohorts of a query: complete months, days and hours from sums, an incomplete hour from lines.
struct CohortReading {
  private let ledger: StoredLedger
  private let question: Question
  /// Index in `currencies` by id of the cohort class; `nil` for classes that the query excludes.
  private var places: [Int64: Int?] = [:]
  private var currencies: [CurrencyCode?] = []
  private(set) var counts = CohortCounts()

  init(_ ledger: StoredLedger, _ question: Question) throws {
    (self.ledger, self.question) = (ledger, question)
    for (number, shape) in try CohortShape.fetchAll(ledger.db) {
      guard question.includes(shape.origin) else {
        places[number] = .some(nil)
        continue
      }
      let place = currencies.firstIndex(of: shape.currency) ?? currencies.count
      if place == currencies.count { currencies.append(shape.currency) }
      places[number] = place
    }
  }

  private var now: CivilMonth { CivilMonth(of: question.at) }

  /// Comma-separated ids of the cohort classes that the query includes, for SQL.
  var numbers: String {
    places.filter { $0.value != nil }.keys.sorted().map(String.init).joined(separator: ", ")
  }

  mutating func readAll() throws {
    guard !currencies.isEmpty, let first = try firstMonth(), first <= now else { return }
    var started: [(month: CivilMonth, currency: CurrencyCode?, sum: RowSum)] = []
    for months in 0...min(now.index - first.index, CohortLife.mostMonths) {
      let whole = Int64(first.index)..<Int64(now.index - months)
      for (at, currency, sum) in try sums(.calendarMonth, months, in: whole) {
        let month = CivilMonth(index: Int(at))
        counts.add(sum, currency, to: .retained, months: months, of: month)
        if months == 0 { started.append((month, currency, sum)) }
      }
      try readReached(now.adding(months: -months), months)
    }
    for (month, currency, sum) in started {
      for months in 0..<min(now.index - month.index, CohortLife.mostMonths + 1) {
        counts.add(sum, currency, to: .of, months: months, of: month)
      }
    }
  }

  mutating func read(_ month: CivilMonth, _ months: Int) throws {
    guard !currencies.isEmpty, month.adding(months: months) <= now else { return }
    guard month.adding(months: months) < now else { return try readReached(month, months) }
    let range = Int64(month.index)..<Int64(month.index + 1)
    for (part, after) in [(CohortCell.Part.retained, months), (.of, 0)] {
      for (_, currency, sum) in try sums(.calendarMonth, after, in: range) {
        counts.add(sum, currency, to: part, months: months, of: month)
      }
    }
  }

  private mutating func readReached(_ month: CivilMonth, _ months: Int) throws {
    guard let reach = CohortReach(month, months: months, by: question.at) else { return }
    let time = question.at.millisecondOfDay
    // An hour is complete with its last millisecond.
    let hours = (time + 1) / Milliseconds.hour
    for (part, after) in [(CohortCell.Part.retained, months), (.of, 0)] {
      var found = try sums(.day, after, in: reach.days)
      for day in reach.cut { found += try sums(.hour, after, in: day * 24..<day * 24 + hours) }
      for (_, currency, sum) in found { counts.add(sum, currency, to: part, months: months, of: month) }
    }
    for day in reach.cut where hours * Milliseconds.hour <= time {
      let start = Instant(milliseconds: day * Milliseconds.day)
      try readLines(from: start + hours * Milliseconds.hour, through: start + time, month, months)
    }
  }

  private mutating func readLines(
    from start: Instant, through end: Instant, _ month: CivilMonth, _ months: Int
  ) throws {
    try SharedNeeds.refuseParts()
    // One offset is enough, because adding months shifts all instants of a day equally.
    try ledger.db.forEach(
      """
      SELECT l.cohort_class_id, \(Self.columns("a")), s.position_id, \(Self.columns("s"))
      FROM lines l INDEXED BY lines_first_paid
        CROSS JOIN spans a ON a.line_id = l.id AND a.from_ms = l.first_paid_ms
        CROSS JOIN spans s ON s.line_id = l.id AND s.from_ms = (
          SELECT max(f.from_ms) FROM spans f WHERE f.line_id = l.id AND f.from_ms <= l.first_paid_ms + ?)
      WHERE l.first_paid_ms >= ? AND l.first_paid_ms <= ?
      """, [start.adding(months: months) - start, start, end]
    ) { row in
      guard let place = places[row[0]] ?? nil else { return }
      counts.add(Self.sum(row, 1), currencies[place], to: .of, months: months, of: month)
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

  /// Returns sums by currency and bucket of the first payment, of lines paid `months` calendar months later.
  private func sums(
    _ grain: LedgerGrain, _ months: Int, in range: Range<Int64>
  ) throws -> [(at: Int64, currency: CurrencyCode?, sum: RowSum)] {
    guard !range.isEmpty else { return [] }
    struct Key: Hashable {
      var at: Int64
      var currency: Int
    }
    var sums: [Key: RowSum] = [:]
    try ledger.forEachSum(
      [LedgerBuckets(grain: grain, range: range)], of: .cohorts(months: months),
      [.own, .converted, .unconverted]
    ) { at, kind, measure, sum in
      guard let place = places[kind] else {
        throw AttributeDictionary.missing(kind, of: CohortShape.sql.table)
      }
      guard let place else { return }
      sums[Key(at: at, currency: place), default: RowSum()] += RowSum(sum, measure)
    }
    return sums.map { ($0.key.at, currencies[$0.key.currency], $0.value) }
  }

  private func firstMonth() throws -> CivilMonth? {
    let (series, grain) = (
      LedgerSeries.cohorts(months: 0).number(of: .own), LedgerGrain.calendarMonth.rawValue
    )
    SharedNeeds.require(.sums(series: series, grain: grain, Int64.min..<Int64.max))
    return try ledger.db.rows(
      "SELECT at FROM sums WHERE series = ? AND grain = ? ORDER BY at LIMIT 1",
      [series, grain]
    ) { CivilMonth(index: $0.count(0)) }.first
  }
}

extension RowSum {
  fileprivate init(_ sum: StoredSum, _ measure: LedgerMeasure) {
    switch measure {
    case .own: self.init(rows: sum.count, micros: Int128(sum.after))
    case .converted: self.init(converted: Converted(micros: Int128(sum.after)))
    case .unconverted: self.init(converted: Converted(unconverted: sum.after))
    case .proceeds: self.init()
    }
  }
}

/// Days of a month, as dates of first payment, whose lines are all or partly old enough for a cohort cell.
///
/// A line is old enough `months` calendar months after its first payment, at the same time of day.
package struct CohortReach: Equatable {
  /// Days (since 1970) whose lines are all old enough.
  package var days: Range<Int64>
  /// Days (since 1970) with some lines that are old enough and some that are not.
  ///
  /// There are several if the month `months` later is shorter, because several days then map to its last day.
  package var cut: [Int64]

  /// Divides the days of `month` at the instant `t`; `nil` if all of its lines are old enough, or none is.
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

  /// Returns the latest lines behind a cell, or of all cohorts if `cell` is `nil`.
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
    /// Number of chains that still have to be fetched, if the store is shared.
    var missing = 0
    for (place, candidate) in candidates.enumerated() {
      let t = candidate.first.adding(months: months)
      // Candidates at the same instant as the last row may still sort before it.
      if rows.count >= question.limit, rows[question.limit - 1].at > t { break }
      guard missing < question.limit, cell == nil || requireSpans(of: candidates, from: place) else { break }
      guard try isBehind(cell, candidate, at: t), seen.insert(candidate.chain).inserted else { continue }
      missing += SharedNeeds.require(chains: [candidate.chain])
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
    let condition = """
      first_paid_ms >= \(start.rawValue) AND first_paid_ms <= \(end.rawValue) AND cohort_class_id IN (\(numbers))
      """
    // Several days can correspond to the last day of a shorter month, so all lines of a cell are candidates.
    let limit = cell == nil ? " ORDER BY first_paid_ms DESC, id LIMIT \(2 * question.limit + 200)" : ""
    SharedNeeds.require(.rows(of: SharedTable.lines.name, where: condition + limit))
    let found = try db.rows(
      """
      SELECT first_paid_ms, id, chain_id FROM lines INDEXED BY lines_first_paid
      WHERE first_paid_ms >= ? AND first_paid_ms <= ? AND cohort_class_id IN (\(numbers))
      ORDER BY first_paid_ms DESC
      """, [start, end]
    ) { row -> Candidate? in
      let candidate = Candidate(first: row.appleDate(0) ?? .appStoreOpening, line: row[1], chain: row[2])
      if let cell, candidate.first.adding(months: cell.months) > question.at { return nil }
      return candidate
    }
    guard let cell else { return found }
    // For the same reason, the instants `months` later may be in another order than the first payments.
    return found.map { (at: $0.first.adding(months: cell.months), line: $0) }.sorted { $0.at > $1.at }
      .map(\.line)
  }

  /// Returns whether the spans of a page of candidates are available; if not, records that they are needed.
  ///
  /// A page has 500 candidates; this one contains the index `place`.
  private func requireSpans(of candidates: [Candidate], from place: Int) -> Bool {
    let page = 500
    let chains = candidates[(place / page * page)...].prefix(page).map(\.chain)
    return SharedNeeds.has(
      .rows(of: SharedTable.spans.name, where: SharedQuery.isOne(of: chains, "chain_id")))
  }

  private func isBehind(_ cell: CohortCell?, _ candidate: Candidate, at t: Instant) throws -> Bool {
    guard let cell, cell.part != .of else { return true }
    let isPaid = try db.rows(
      "SELECT position_id FROM spans WHERE line_id = ? AND from_ms <= ? ORDER BY from_ms DESC LIMIT 1",
      [candidate.line, t]
    ) { positions[$0[0]]?.set == .paid }.first
    return (cell.part == .retained) == (isPaid ?? false)
  }
}

extension ReceiptStore {
  /// Returns the products, storefronts and offers of first payments, for filtering cohorts.
  public func cohortOrigins() throws(StoreError) -> [CohortOrigin] {
    try read("look for storefronts and offers in") { db in
      try CohortShape.fetchAll(db).values.map(\.origin)
    }
  }
}
