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
      of: kinds, days, at,
      """
      sum(units), count(amount_micros), sum(amount_micros / \(Self.part)), sum(amount_micros % \(Self.part)),
        count(proceeds_micros), sum(proceeds_micros / \(Self.part)), sum(proceeds_micros % \(Self.part)), NULL,
        NULL, settled_day
      """, "GROUP BY day, shape_id, settled_day")
  }

  /// Returns the rows of Subscriber reports, not summed, each with the hash of its subscriber.
  ///
  /// - Parameters:
  ///   - days: Days that a report must overlap to be read.
  ///   - subscribers: Hashes of the subscribers to include; `nil` for all.
  public func subscriberRows(
    days: ClosedRange<CivilDate>, of subscribers: Set<String>? = nil, asKnownAt at: Instant? = nil
  ) throws(StoreError) -> [DatedAppleRow] {
    let list = subscribers.map { "[\($0.map { "\"\($0)\"" }.joined(separator: ","))]" }
    return try rows(
      of: [.subscriber], days, at,
      """
      units, amount_micros IS NOT NULL, amount_micros / \(Self.part), amount_micros % \(Self.part),
        proceeds_micros IS NOT NULL, proceeds_micros / \(Self.part), proceeds_micros % \(Self.part), subscriber,
        purchased_day, NULL
      """, "", list)
  }

  /// Returns the hashes of the subscribers who have any of these transactions in reports that overlap `days`.
  func subscribers(
    having transactions: Set<TransactionKey>, days: ClosedRange<CivilDate>, asKnownAt at: Instant?
  ) throws(StoreError) -> Set<String> {
    let dates = "[\(Set(transactions.map { "\($0.day.daysSince1970)" }).sorted().joined(separator: ","))]"
    var (keys, found) = ([Int64: TransactionKey?](), Set<String>())
    try forEachRow(
      of: [([.subscriber], days)], at, "subscriber", "AND day IN (SELECT value FROM json_each(?))", [dates]
    ) { _, columns, shape in
      if keys[columns[0]] == nil { keys[columns[0]] = .some(TransactionKey(try shape())) }
      guard var key = keys[columns[0]] ?? nil else { return }
      key.day = CivilDate(daysSince1970: columns.count(1))
      if transactions.contains(key), let subscriber = columns.text(3) { found.insert(subscriber) }
    }
    return found
  }

  /// Days since 1970 that a row can have, up to the year 2243.
  private static let days = 0...100_000

  /// Divisor of amounts: SQLite adds up quotients and remainders separately, since sums may exceed 64 bits.
  private static let part = 1 << 30

  private func rows(
    of kinds: [AppleReportKind], _ days: ClosedRange<CivilDate>, _ at: Instant?, _ columns: String,
    _ condition: String = "", _ subscribers: String? = nil
  ) throws(StoreError) -> [DatedAppleRow] {
    var rows: [DatedAppleRow] = []
    try forEachRow(of: [(kinds, days)], at, columns, condition, of: subscribers) { report, columns, shape in
      func sum(_ place: CInt, in currency: CurrencyCode?) -> Money? {
        guard columns[place] > 0, let currency else { return nil }
        let micros = Int128(columns[place + 1]) * Int128(Self.part) + Int128(columns[place + 2])
        return Money(micros: micros, currency: currency)
      }
      func day(_ place: CInt) -> CivilDate? {
        columns.isNull(place) ? nil : CivilDate(daysSince1970: columns.count(place))
      }
      var row = try shape()
      (row.day, row.units) = (CivilDate(daysSince1970: columns.count(1)), columns[3])
      (row.amount, row.proceeds) = (sum(4, in: row.price?.currency), sum(7, in: row.proceeds?.currency))
      (row.subscriber, row.purchased, row.settled) = (columns.text(10), day(11), day(12))
      rows.append(DatedAppleRow(report, row))
    }
    return rows
  }

  /// Returns the rows of reports that overlap `days`, summed over subscribers and settlement.
  func countedRows(
    _ kinds: [([AppleReportKind], days: ClosedRange<CivilDate>)], asKnownAt at: Instant?
  ) throws(StoreError) -> AppleRows {
    var (rows, places, last) = (AppleRows(), [Int64: Int](), Int64?.none)
    try forEachRow(of: kinds, at, "units, amount_micros") { report, columns, shape in
      if columns[2] != last { rows.begin(report) }
      last = columns[2]
      let place = try places[columns[0]] ?? rows.add(shape: shape())
      places[columns[0]] = place
      let amount = columns.number(4).map { Int128($0) }
      rows.add(place, on: columns.count(1), units: Int64(columns.count(3)), amount: amount)
    }
    return rows
  }

  /// Calls `body` for each row with its report, its columns and a function that reads its shape.
  ///
  /// The first three columns are the shape's id, the day and the report's id; `columns` follow.
  ///
  /// - Parameter subscribers: JSON array of the subscriber hashes to include; `nil` for all.
  private func forEachRow(
    of kinds: [([AppleReportKind], days: ClosedRange<CivilDate>)], _ at: Instant?, _ columns: String,
    _ condition: String = "", _ more: StatementArguments = [], of subscribers: String? = nil,
    _ body: (AppleReport, BoundStatement.Columns, _ shape: () throws -> AppleReportRow) throws -> Void
  ) throws(StoreError) {
    let source =
      subscribers == nil
      ? "apple_report_rows WHERE report_id = ?"
      : "json_each(?) CROSS JOIN apple_report_rows WHERE subscriber = value"
    try read("read Apple's reports in") { db in
      let shapes = AttributeDictionary(db: db)
      var products: [String: ProductID] = [:]
      try db.forEach("SELECT apple_id, product_id FROM apple_products") {
        products[$0.text(0) ?? ""] = $0.text(1)
      }
      let reports = try kinds.flatMap { try Self.reports($0.0, $0.days, at, db) }
      let numbered = Dictionary(uniqueKeysWithValues: reports.map { ($0.id, $0.report) })
      let arguments: [StatementArguments] = subscribers.map { [[$0]] } ?? reports.map { [$0.id] + more }
      for arguments in arguments {
        try db.forEach("SELECT shape_id, day, report_id, \(columns) FROM \(source) \(condition)", arguments) {
          columns in
          guard let report = numbered[columns[2]] else { return }
          guard Self.days.contains(columns.count(1)) else { return columns.reject(1) }
          try body(report, columns) {
            try (shapes.existing(columns[0]) as AppleReportShape).row(products: products)
          }
        }
      }
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
