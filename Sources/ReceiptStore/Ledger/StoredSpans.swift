import GRDB
import Subscriptions

struct StoredSpan: StoredRow, Hashable {
  var line: Int64 = 0
  var from = Instant.distantPast
  var until = Instant.distantPast
  var position: Int64 = 0
  var change: Int64?
  var monthly: Int64 = 0
  var current: Int64 = 0
  var renewal: Int64?
  var accessEnd: Instant?
  var expires: Instant?
  var dueClass: Int64?
  var user: Int64?
  /// Monthly price in the reporting currency; `nil` without a reporting currency or a price.
  var converted: Converted?
  /// Price of the next renewal from signed data, while the period is running.
  var charge: Money?
  /// Values of the previous span, which are not columns of the table.
  var monthlyBefore: Int64 = 0
  var convertedBefore: Converted?

  static let sql = RowSQL(Self(), "spans", keys: 2)

  mutating func map(_ columns: inout some ColumnMapper) {
    columns.map("line_id", &line)
    columns.map(date: "from_ms", &from)
    columns.map("until_ms", &until)
    columns.map("position_id", &position)
    columns.map("change_id", &change)
    columns.map("monthly_micros", &monthly, in: StoredNumber.sums(of: 1))
    columns.map("current_id", &current)
    columns.map("renewal_info_id", &renewal)
    columns.map("access_end_ms", &accessEnd)
    columns.map("expires_ms", &expires)
    columns.map("due_class_id", &dueClass)
    columns.map("user_number", &user)
    columns.map("converted_micros", "unconverted", &converted)
    columns.map(amount: "charge_micros", currency: "charge_currency", &charge)
  }
}

/// Writes the changed spans of one line, and updates the sums of their changes.
struct StoredSpans {
  let lineID: Int64
  let book: RollupWriter
  let db: Database

  func write(
    _ line: DerivedChain.DerivedLine, rowIDs: [TransactionID: Int64],
    renewalIDs: [RenewalObservation: Int64], isNew: Bool
  ) throws {
    let new = chained(try spans(line, rowIDs, renewalIDs))
    let old = isNew ? [] : try fetch()
    try cohort.write(life(new).flatMap { life in line.origin.map { ($0, life) } }, old: life(old))
    try StoredSpan.write(new, replacing: old, db, count: add)
  }

  /// Adds the line's changes to the sums, or subtracts them if `sign` is -1, without changing its rows.
  func count(times sign: Int64) throws {
    let spans = try fetch()
    for span in spans { try add(span, times: sign) }
    try cohort.count(life(spans), times: sign)
  }

  private var cohort: StoredCohort { StoredCohort(lineID: lineID, book: book, db: db) }

  /// Returns when a line was first paid, and at which ages it was paid; `nil` if family-shared or never paid.
  private func life(_ spans: [StoredSpan]) throws -> CohortLife? {
    guard spans.contains(where: { $0.change != nil }) else { return nil }
    return CohortLife(
      try spans.compactMap { span in
        let position = try book.shapes.existing(span.position, PositionShape.self).position
        guard position.set == .paid else { return nil }
        return (span.from, span.until, position.currency, span.monthly, span.converted ?? Converted())
      })
  }

  private func add(_ span: StoredSpan, times sign: Int64) throws {
    let (before, after) = (span.convertedBefore ?? Converted(), span.converted ?? Converted())
    var sum = ChangeSum(convertedBefore: before, convertedAfter: after)
    if span.change != nil {
      (sum.lines, sum.monthlyBefore, sum.monthlyAfter) = (1, Int128(span.monthlyBefore), Int128(span.monthly))
    } else if before == after {
      return
    }
    // Without a change class, only the amount in the reporting currency changed.
    let kind = try span.change ?? book.number(ofChange: nil, from: span.position, to: span.position)
    book.add(sum, at: span.from, kind, times: sign)
  }

  private func spans(
    _ line: DerivedChain.DerivedLine, _ rowIDs: [TransactionID: Int64],
    _ renewalIDs: [RenewalObservation: Int64]
  ) throws -> [StoredSpan] {
    // Id of the position class before the next change.
    var left: Int64?
    return try line.entries.compactMap { entry in
      let (entrySpan, row) = (entry.span, line.line.rows[entry.span.position.row])
      var span = StoredSpan(line: lineID, from: entrySpan.from, until: entrySpan.until)
      span.position = try book.number(of: entry.position.kind)
      if !line.line.isFamilyShared, let change = entry.change {
        span.change = try book.number(ofChange: change.kind.flow, from: left, to: span.position)
        left = span.position
      }
      guard let current = rowIDs[row.id] else { return nil }
      span.current = current
      span.monthly = entry.position.monthlyMicros
      span.renewal = entrySpan.renewal.flatMap { renewalIDs[line.line.renewals[$0]] }
      span.accessEnd = entrySpan.accessEnd == row.expires ? nil : entrySpan.accessEnd
      span.converted =
        book.catalog.exchange != nil && entry.position.kind.currency != nil ? entry.position.converted : nil
      guard !line.line.isFamilyShared else { return span }
      if entrySpan.position.state.isRunning { span.charge = row.signedCharge }
      guard entrySpan.position.state.mayYetPay else { return span }
      (span.expires, span.user) = (row.expires, line.line.userNumber)
      // Class that counts the unrenewed period as lost.
      if row.outcome == .unrenewed {
        span.dueClass = try book.number(
          of: FactClass(
            .due(.lost, row.period(book.catalog)), line.line.id.environment, product: row.productID))
      }
      return span
    }
  }

  private func fetch() throws -> [StoredSpan] {
    chained(
      try db.rows("\(StoredSpan.sql.select) FROM spans WHERE line_id = ? ORDER BY from_ms", [lineID]) {
        StoredSpan($0)
      })
  }

  private func chained(_ spans: [StoredSpan]) -> [StoredSpan] {
    var spans = spans
    for place in spans.indices.dropFirst() {
      let before = spans[place - 1]
      (spans[place].monthlyBefore, spans[place].convertedBefore) = (before.monthly, before.converted)
    }
    return spans
  }
}
