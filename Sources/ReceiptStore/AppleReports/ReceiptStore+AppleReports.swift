import GRDB
import Subscriptions

extension ReceiptStore {
  /// Adds Apple's reports in one commit; a known report whose content differs gets a new version.
  ///
  /// - Parameter hash: Receives a secret salt of this store and a Subscriber ID, and returns their hash.
  public func addAppleReports(
    pages next: () -> ImportPage<AppleReportItem>, at now: Instant,
    hash: @escaping (_ salt: String, _ id: String) -> String
  ) throws(StoreError) -> AppleReportSummary {
    defer { checkpoint() }
    return try writeUnlessRolledBack("add Apple's reports to") { db in
      defer { StoreConnections.keepUsualPages(db) }
      try StoreConnections.keepMorePages(db)
      var writer = try AppleReportWriter(db, at: now, hash: hash)
      while true {
        switch next() {
        case .items(let page): for item in page { try writer.take(item) }
        case .end: return (writer.summary, .commit)
        case .abandon: return (AppleReportSummary(), .rollback)
        }
      }
    }
  }

  /// Returns the current versions of Apple's reports, ordered by kind and last day.
  ///
  /// - Parameter at: Instant at which the versions were current; `nil` for now.
  public func appleReports(asKnownAt at: Instant? = nil) throws(StoreError) -> [AppleReport] {
    try read("list Apple's reports in") { db in
      try Self.reports(AppleReportKind.allCases, nil, at, db).map(\.report)
    }
  }

  /// Returns the rows of Apple's reports, summed over subscribers.
  ///
  /// - Parameter days: Days that a report must overlap to be read; its rows may have other days.
  public func appleRows(
    _ kinds: [AppleReportKind], days: ClosedRange<CivilDate>, asKnownAt at: Instant? = nil
  ) throws(StoreError) -> [DatedAppleRow] {
    try rows(
      of: kinds, days, at, nil,
      """
      SELECT day, shape_id, sum(units), count(amount_micros), sum(amount_micros / \(Self.part)),
        sum(amount_micros % \(Self.part)), count(proceeds_micros), sum(proceeds_micros / \(Self.part)),
        sum(proceeds_micros % \(Self.part)), NULL, NULL, settled_day
      FROM apple_report_rows WHERE report_id = ? GROUP BY day, shape_id, settled_day
      """)
  }

  /// Returns the rows of Subscriber reports, not summed, each with the hash of its subscriber.
  ///
  /// - Parameters:
  ///   - days: Days that a report must overlap to be read.
  ///   - subscribers: Hashes of the subscribers to include; `nil` for all.
  ///   - dates: Days of the rows to include; `nil` for all. Ignored if `subscribers` is not `nil`.
  public func subscriberRows(
    days: ClosedRange<CivilDate>, of subscribers: Set<String>? = nil, dated dates: Set<CivilDate>? = nil,
    asKnownAt at: Instant? = nil
  ) throws(StoreError) -> [DatedAppleRow] {
    let values = subscribers?.map { "\"\($0)\"" } ?? dates?.map { "\($0.daysSince1970)" }
    let list = values.map { "[\($0.joined(separator: ","))]" }
    return try rows(
      of: [.subscriber], days, at, list,
      """
      SELECT day, shape_id, units, amount_micros IS NOT NULL, amount_micros / \(Self.part),
        amount_micros % \(Self.part), proceeds_micros IS NOT NULL, proceeds_micros / \(Self.part),
        proceeds_micros % \(Self.part), subscriber, purchased_day, NULL
      FROM apple_report_rows WHERE report_id = ?1
        \(list == nil ? "" : "AND \(subscribers == nil ? "day" : "subscriber") IN (SELECT value FROM json_each(?2))")
      ORDER BY rowid
      """)
  }

  /// Divisor of amounts: SQLite adds up quotients and remainders separately, since sums may exceed 64 bits.
  private static let part = 1 << 30

  private func rows(
    of kinds: [AppleReportKind], _ days: ClosedRange<CivilDate>, _ at: Instant?, _ subscribers: String?,
    _ sql: String
  ) throws(StoreError) -> [DatedAppleRow] {
    try read("read Apple's reports in") { db in
      let shapes = AttributeDictionary(db: db)
      var products: [String: ProductID] = [:]
      try db.forEach("SELECT apple_id, product_id FROM apple_products") {
        products[$0.text(0) ?? ""] = $0.text(1)
      }
      var rows: [DatedAppleRow] = []
      for (id, report) in try Self.reports(kinds, days, at, db) {
        try db.forEach(sql, subscribers.map { [id, $0] } ?? [id]) { columns in
          func sum(_ place: CInt) -> Int128? {
            guard columns[place] > 0 else { return nil }
            return Int128(columns[place + 1]) * Int128(Self.part) + Int128(columns[place + 2])
          }
          func day(_ place: CInt) -> CivilDate { CivilDate(daysSince1970: columns.count(place)) }
          let shape: AppleReportShape = try shapes.existing(columns[1])
          var row = shape.row(
            on: day(0), units: columns[2], amount: sum(3), proceeds: sum(6), products: products)
          row.subscriber = columns.text(9)
          row.purchased = columns.isNull(10) ? nil : day(10)
          row.settled = columns.isNull(11) ? nil : day(11)
          rows.append(DatedAppleRow(report, row))
        }
      }
      return rows
    }
  }

  private static func reports(
    _ kinds: [AppleReportKind], _ days: ClosedRange<CivilDate>?, _ at: Instant?, _ db: Database
  ) throws -> [(id: Int64, report: AppleReport)] {
    try kinds.flatMap { kind in
      try db.rows(
        """
        SELECT id, vendor, region, from_day, through_day FROM apple_reports
        WHERE kind = ?1 AND through_day >= ?2 AND from_day <= ?3 AND imported_at_ms <= ?4
          AND (replaced_at_ms IS NULL OR replaced_at_ms > ?4) ORDER BY through_day, id
        """,
        [
          kind.rawValue, days?.lowerBound.daysSince1970 ?? 0, days?.upperBound.daysSince1970 ?? Int.max,
          at ?? .distantFuture - 1,
        ]
      ) { row in
        let report = AppleReport(
          kind: kind, vendor: row.text(1) ?? "", region: row.text(2) ?? "",
          from: CivilDate(daysSince1970: row.count(3)), through: CivilDate(daysSince1970: row.count(4)))
        return (row[0], report)
      }
    }
  }
}
