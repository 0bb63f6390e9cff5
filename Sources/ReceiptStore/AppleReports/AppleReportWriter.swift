import GRDB
import Subscriptions

/// Writes Apple's reports, which arrive item by item, within one database transaction.
///
/// Rows with equal keys are added up in memory. At `mostRows` keys, the sums are written to limit memory use.
struct AppleReportWriter {
  private let db: Database
  private let now: Instant
  private let hash: (String) -> String
  private let shapes: AttributeDictionary
  private var report: AppleReport?
  private var id: Int64?
  private var rows: [Key: Sums] = [:]
  private var products: [String: ProductID] = [:]
  private(set) var summary = AppleReportSummary()

  private static let mostRows = 20_000

  private struct Key: Hashable {
    var day: Int
    var shape: Int64
    var subscriber: String?
    var purchased: Int?
    var settled: Int?
  }

  private struct Sums {
    var units: Int64 = 0
    var amount: Int128?
    var proceeds: Int128?

    mutating func add(_ row: AppleReportRow) {
      units += row.units
      if let money = row.amount { amount = (amount ?? 0) + money.micros }
      if let money = row.proceeds { proceeds = (proceeds ?? 0) + money.micros }
    }

    var isStorable: Bool {
      StoredNumber.counts.contains(units)
        && max((amount ?? 0).magnitude, (proceeds ?? 0).magnitude) <= AppleReportRow.largestAmount
    }
  }

  init(_ db: Database, at now: Instant, hash: @escaping (_ salt: String, _ id: String) -> String) throws {
    var salt = try String.fetchOne(db, sql: "SELECT salt FROM apple_subscriber_salt")
    if salt == nil {
      salt = (0..<2).map { _ in UInt128.random(in: 0...UInt128.max).hexadecimal }.joined()
      try db.run("INSERT INTO apple_subscriber_salt (salt) VALUES (?)", [salt])
    }
    (self.db, self.now, shapes) = (db, now, AttributeDictionary(db: db))
    self.hash = { [salt] in hash(salt ?? "", $0) }
  }

  mutating func take(_ item: AppleReportItem) throws {
    switch (item, report) {
    case (.begin(let next, _), _): (report, id, rows, products) = (next, nil, [:], [:])
    case (.row(let row), let report?): try add(row, to: report)
    case (.end(let lines, let digest), let report?): try end(report, lines, digest.hexadecimal)
    default: break
    }
  }

  private mutating func add(_ row: AppleReportRow, to report: AppleReport) throws {
    let day = report.kind == .subscription ? report.through : row.day
    let key = Key(
      day: day.daysSince1970, shape: try shapes.number(of: AppleReportShape(of: row)),
      subscriber: row.subscriber.map(hash), purchased: row.purchased?.daysSince1970,
      settled: row.settled?.daysSince1970)
    var sums = rows[key] ?? Sums()
    sums.add(row)
    if !sums.isStorable || rows.count >= Self.mostRows {
      try flush(report)
      sums = Sums()
      sums.add(row)
    }
    rows[key] = sums
    if let product = row.product { products[row.appleID] = product }
  }

  private mutating func end(_ report: AppleReport, _ lines: Int, _ digest: String) throws {
    summary.lines += lines
    let known = try current(report)
    if let known, known.digest == digest {
      if let id {
        try db.run("DELETE FROM apple_report_rows WHERE report_id = ?", [id])
        try db.run("DELETE FROM apple_reports WHERE id = ?", [id])
      }
      // The known version may come from a file that did not name the vendor.
      try db.run(
        "UPDATE apple_reports SET vendor = ? WHERE id = ? AND vendor = ''", [report.vendor, known.id])
      summary.unchanged += 1
      return
    }
    try flush(report)
    try db.run("UPDATE apple_reports SET replaced_at_ms = ? WHERE id = ?", [now, known?.id])
    try db.run("UPDATE apple_reports SET digest = ?, line_count = ? WHERE id = ?", [digest, lines, id])
    if known == nil { summary.new += 1 } else { summary.replaced += 1 }
  }

  /// Returns the version that `report` repeats or replaces; an empty vendor in either matches any vendor.
  private func current(_ report: AppleReport) throws -> (id: Int64, digest: String)? {
    try db.rows(
      """
      SELECT id, digest FROM apple_reports WHERE kind = ?1 AND through_day = ?2 AND from_day = ?3 AND region = ?4
        AND (vendor IN (?5, '') OR ?5 = '') AND replaced_at_ms IS NULL AND id IS NOT ?6
      ORDER BY vendor <> ?5, id LIMIT 1
      """,
      [
        report.kind.rawValue, report.through.daysSince1970, report.from.daysSince1970, report.region,
        report.vendor, id,
      ]
    ) { (id: $0[0], digest: $0.text(1) ?? "") }.first
  }

  private mutating func flush(_ report: AppleReport) throws {
    let id = try self.id ?? insert(report)
    self.id = id
    var insert = try BoundStatement(
      """
      INSERT INTO apple_report_rows (report_id, day, shape_id, units, amount_micros, proceeds_micros, purchased_day,
        settled_day, subscriber) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, db)
    for (key, sums) in rows {
      let (amount, proceeds) = (sums.amount.map { Int64($0) }, sums.proceeds.map { Int64($0) })
      for number in [id, Int64(key.day), key.shape, sums.units, amount, proceeds] { insert.bind(number) }
      for day in [key.purchased, key.settled] { insert.bind(day.map { Int64($0) }) }
      insert.bind(key.subscriber)
      try insert.execute()
    }
    for (appleID, product) in products {
      try db.run(
        """
        INSERT INTO apple_products (apple_id, product_id) VALUES (?, ?)
        ON CONFLICT DO UPDATE SET product_id = excluded.product_id WHERE product_id <> excluded.product_id
        """, [appleID, product])
    }
    (rows, products) = ([:], [:])
  }

  private func insert(_ report: AppleReport) throws -> Int64 {
    try db.run(
      """
      INSERT INTO apple_reports (kind, vendor, region, from_day, through_day, digest, line_count, imported_at_ms)
      VALUES (?, ?, ?, ?, ?, '', 0, ?)
      """,
      [
        report.kind.rawValue, report.vendor, report.region, report.from.daysSince1970,
        report.through.daysSince1970, now,
      ])
    return db.lastInsertedRowID
  }
}
