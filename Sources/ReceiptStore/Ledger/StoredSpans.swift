import GRDB
import Subscriptions

/// Stored spans of one line. Writes only differences, and adds the changes to the sums.
struct StoredSpans {
  let lineID: Int64
  let book: RollupWriter
  let catalog: Catalog
  let db: Database

  private struct Record: Hashable {
    var from: Instant
    var until: Instant
    var position: Int64
    var change: Int64?
    var monthly: Int64
    var current: Int64
    var renewal: Int64?
    var accessEnd: Instant?
    var expires: Instant?
    var dueClass: Int64?
    var user: Int64?
    /// Monthly price in the reporting currency; `nil` without a reporting currency or a price.
    var converted: Converted?
    /// Signed price of the next renewal, while the period runs.
    var charge: Money?
    /// Values of the span before; not columns.
    var monthlyBefore: Int64
    var convertedBefore: Converted?
  }

  private static let columns = """
    from_ms, until_ms, position_id, change_id, monthly_micros, current_id, renewal_info_id, access_end_ms,
    expires_ms, due_class_id, user_number, converted_micros, unconverted, charge_micros, charge_currency
    """

  /// - Parameters:
  ///   - rowIDs: Row numbers of the line's transactions.
  ///   - renewalIDs: Row numbers of the chain's renewal infos.
  ///   - isNew: Whether the line has no stored spans.
  func write(
    _ line: DerivedChain.DerivedLine, rowIDs: [TransactionID: Int64],
    renewalIDs: [RenewalObservation: Int64], isNew: Bool
  ) throws {
    let new = try records(line, rowIDs, renewalIDs)
    let old = isNew ? [] : try fetch()
    try cohort.write(life(new).flatMap { life in line.origin.map { ($0, life) } }, old: life(old))
    guard new != old else { return }
    let (before, after) = (Set(old), Set(new))
    for record in old where !after.contains(record) {
      try add(record, times: -1)
      try db.cachedStatement(sql: "DELETE FROM spans WHERE line_id = ? AND from_ms = ?")
        .execute(arguments: [lineID, record.from])
    }
    var insert = try BoundStatement(
      "INSERT INTO spans (line_id, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      db)
    for record in new where !before.contains(record) {
      try add(record, times: 1)
      insert.bind(lineID)
      insert.bind(record.from)
      insert.bind(record.until)
      insert.bind(record.position)
      insert.bind(record.change)
      insert.bind(record.monthly)
      insert.bind(record.current)
      insert.bind(record.renewal)
      insert.bind(record.accessEnd)
      insert.bind(record.expires)
      insert.bind(record.dueClass)
      insert.bind(record.user)
      insert.bind(record.converted.map { book.fitting($0.micros) })
      insert.bind(record.converted.flatMap { $0.unconverted > 0 ? $0.unconverted : nil })
      insert.bind(record.charge?.single)
      insert.bind(record.charge?.currency)
      try insert.execute()
    }
  }

  /// Subtracts the line's changes from the sums. The rows are deleted with the line.
  func takeOff() throws {
    let records = try fetch()
    for record in records { try add(record, times: -1) }
    try cohort.takeOff(life(records))
  }

  private var cohort: StoredCohort { StoredCohort(lineID: lineID, book: book.cohorts, db: db) }

  /// Returns the paid periods of a line, or `nil` if it belongs to no cohort. Spans of family-shared lines
  /// have no change.
  private func life(_ records: [Record]) throws -> CohortLife? {
    guard records.contains(where: { $0.change != nil }) else { return nil }
    return CohortLife(
      try records.compactMap { record in
        let position = try book.cohorts.position(numbered: record.position)
        guard position.set == .paid else { return nil }
        return (
          record.from, record.until, position.currency, record.monthly, record.converted ?? Converted()
        )
      })
  }

  private func add(_ record: Record, times sign: Int) throws {
    let (before, after) = (record.convertedBefore ?? Converted(), record.converted ?? Converted())
    var sum = ChangeSum(convertedBefore: before, convertedAfter: after)
    let kind: Int64
    if let change = record.change {
      (sum.lines, sum.monthlyBefore, sum.monthlyAfter) = (
        1, Int128(record.monthlyBefore), Int128(record.monthly)
      )
      kind = change
    } else {
      guard before != after else { return }
      kind = try book.number(ofRenewalsIn: record.position)
    }
    book.add(sum, at: record.from, kind, times: Int64(sign))
  }

  private func records(
    _ line: DerivedChain.DerivedLine, _ rowIDs: [TransactionID: Int64],
    _ renewalIDs: [RenewalObservation: Int64]
  ) throws -> [Record] {
    var monthlyBefore: Int64 = 0
    var convertedBefore: Converted?
    // Class before the change.
    var left: Int64?
    return try line.entries.compactMap { entry in
      let (span, row) = (entry.span, line.line.rows[entry.span.position.row])
      let position = try book.number(of: entry.position.kind)
      let change =
        try line.line.isFamilyShared
        ? nil : entry.change.map { try book.number(ofChange: $0.kind.flow, from: left, to: position) }
      if change != nil { left = position }
      guard let current = rowIDs[row.id] else { return nil }
      let isUnpaid = span.position.state.mayYetPay && !line.line.isFamilyShared
      let converted = converts && entry.position.kind.currency != nil ? entry.position.converted : nil
      defer { (monthlyBefore, convertedBefore) = (entry.position.monthlyMicros, converted) }
      return Record(
        from: span.from, until: span.until, position: position,
        change: change,
        monthly: entry.position.monthlyMicros, current: current,
        renewal: span.renewal.flatMap { renewalIDs[line.line.renewals[$0]] },
        accessEnd: span.accessEnd == row.expires ? nil : span.accessEnd,
        expires: isUnpaid ? row.expires : nil,
        dueClass: isUnpaid && row.outcome == .unrenewed ? try dueClass(of: row, line.line) : nil,
        user: isUnpaid ? line.line.userNumber : nil, converted: converted,
        charge: span.position.state.isRunning && !line.line.isFamilyShared ? row.signedCharge : nil,
        monthlyBefore: monthlyBefore, convertedBefore: convertedBefore)
    }
  }

  private var converts: Bool { catalog.exchange != nil }

  /// Returns the class of a period that was not renewed.
  private func dueClass(of row: Subscriptions.Row, _ line: Line) throws -> Int64 {
    let kind = FactClass(.due(.lost, row.period(catalog)), line.id.environment, product: row.productID)
    return try book.number(of: kind)
  }

  private func fetch() throws -> [Record] {
    let statement = try db.cachedStatement(
      sql: "SELECT \(Self.columns) FROM spans WHERE line_id = ? ORDER BY from_ms")
    var monthlyBefore: Int64 = 0
    var convertedBefore: Converted?
    return try FetchedRow.fetchAll(statement, arguments: [lineID]).map { row in
      let record = try Record(
        from: row.appleDate(0) ?? .appStoreOpening, until: row[1], position: row[2], change: row[3],
        monthly: row.amount(4, in: StoredNumber.sums(of: 1)) ?? 0, current: row[5],
        renewal: row[6], accessEnd: row[7], expires: row[8], dueClass: row[9], user: row[10],
        converted: (row[11] as Int64?).map { _ in try row.converted(11) },
        charge: row.money(micros: 13, currency: 14), monthlyBefore: monthlyBefore,
        convertedBefore: convertedBefore)
      (monthlyBefore, convertedBefore) = (record.monthly, record.converted)
      return record
    }
  }
}

/// Lines of a chain with their stored spans.
enum StoredStanding {
  static let columns = """
    c.environment, l.id, l.is_family_shared, p.from_ms, p.until_ms, s.state, z.product_id, x.purchase_date_ms,
    x.expires_date_ms, r.auto_renew_status, r.auto_renew_product_id, p.charge_micros, p.charge_currency
    """

  /// - Parameter line: SQL expression of the line's number.
  static func source(line: String) -> String {
    "spans p ON p.line_id = \(line) CROSS JOIN lines l ON l.id = p.line_id \(joins)"
  }

  private static let joins = """
    CROSS JOIN chains c ON c.id = l.chain_id CROSS JOIN position_classes s ON s.id = p.position_id
    CROSS JOIN transaction_rows x ON x.id = p.current_id CROSS JOIN transaction_shapes z ON z.id = x.shape_id
    LEFT JOIN renewal_infos r ON r.id = p.renewal_info_id
    """

  /// - Parameter first: Index of the first of `columns`.
  static func span(_ row: FetchedRow, from first: Int = 0) throws -> StandingSpan {
    let (from, until): (Instant, Instant) = try (row[first + 3], row[first + 4])
    guard from < until else { throw DamagedValue(column: "until_ms") }
    return try StandingSpan(
      from: from, until: until, state: (row[first + 5] as LineState?) ?? .expired,
      product: row[first + 6], purchase: row.appleDate(first + 7) ?? .appStoreOpening,
      expires: row.appleDate(first + 8) ?? .appStoreOpening, autoRenew: row[first + 9],
      renewsAs: row[first + 10], signedCharge: row.money(micros: first + 11, currency: first + 12))
  }

  static func lines(of chain: ChainRecord, _ db: Database) throws -> [StandingLine] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(columns) FROM lines l CROSS JOIN spans p ON p.line_id = l.id \(joins)
        WHERE l.chain_id = ? ORDER BY l.id, p.from_ms
        """)
    var lines: [StandingLine] = []
    var last: Int64?
    for row in try FetchedRow.fetchAll(statement, arguments: [chain.id]) {
      let line: Int64 = try row[1]
      if last != line {
        lines.append(
          StandingLine(
            environment: StoreEnvironment(try row[0] as String), isFamilyShared: try row[2], spans: []))
        last = line
      }
      lines[lines.count - 1].spans.append(try span(row))
    }
    return lines
  }
}
