import GRDB
import Subscriptions

/// Reader of the stored versions of Apple's reports that were current at an instant, in one transaction.
package struct AppleReportReader {
  private let db: Database
  /// `nil` for the current versions.
  let at: Instant?
  private let shapes: AttributeDictionary
  /// Products by Apple's id.
  private let products: [String: ProductID]

  init(_ db: Database, asKnownAt at: Instant?) throws {
    (self.db, self.at, shapes) = (db, at, AttributeDictionary(db: db))
    var products: [String: ProductID] = [:]
    try db.forEach("SELECT apple_id, product_id FROM apple_products") {
      products[$0.text(0) ?? ""] = $0.text(1)
    }
    self.products = products
  }

  /// Returns all current reports, ordered by kind and last day.
  package func reports() throws -> [AppleReport] { try reports(AppleReportKind.allCases, nil).map(\.report) }

  func reportedDays() throws -> ClosedRange<CivilDate>? {
    let days = try reports().filter { $0.from == $0.through }.map(\.through)
    return days.min().flatMap { first in days.max().map { first...$0 } }
  }

  /// Returns the rows of Apple's reports, summed over subscribers.
  ///
  /// - Parameter days: Days that a report must overlap to be read; its rows may have other days.
  package func rows(_ kinds: [AppleReportKind], days: ClosedRange<CivilDate>) throws -> [DatedAppleRow] {
    try rows(
      of: kinds, days,
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
  package func subscriberRows(
    days: ClosedRange<CivilDate>, of subscribers: Set<String>? = nil
  ) throws -> [DatedAppleRow] {
    let list = subscribers.map { "[\($0.map { "\"\($0)\"" }.joined(separator: ","))]" }
    return try rows(
      of: [.subscriber], days,
      """
      units, amount_micros IS NOT NULL, amount_micros / \(Self.part), amount_micros % \(Self.part),
        proceeds_micros IS NOT NULL, proceeds_micros / \(Self.part), proceeds_micros % \(Self.part), subscriber,
        purchased_day, NULL
      """, "", list)
  }

  /// Returns the hashes of the subscribers who have any of these transactions in reports that overlap `days`.
  func subscribers(
    having transactions: Set<TransactionKey>, days: ClosedRange<CivilDate>
  ) throws -> Set<String> {
    let dates = "[\(Set(transactions.map { "\($0.day.daysSince1970)" }).sorted().joined(separator: ","))]"
    var (keys, found) = ([Int64: TransactionKey?](), Set<String>())
    try forEachRow(
      of: [([.subscriber], days)], "subscriber", "AND day IN (SELECT value FROM json_each(?))", [dates]
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
    of kinds: [AppleReportKind], _ days: ClosedRange<CivilDate>, _ columns: String,
    _ condition: String = "", _ subscribers: String? = nil
  ) throws -> [DatedAppleRow] {
    var rows: [DatedAppleRow] = []
    try forEachRow(of: [(kinds, days)], columns, condition, of: subscribers) { report, columns, shape in
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
    _ kinds: [([AppleReportKind], days: ClosedRange<CivilDate>)]
  ) throws -> AppleRows {
    var (rows, places, last) = (AppleRows(), [Int64: Int](), Int64?.none)
    try forEachRow(of: kinds, "units, amount_micros") { report, columns, shape in
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
    of kinds: [([AppleReportKind], days: ClosedRange<CivilDate>)], _ columns: String,
    _ condition: String = "", _ more: StatementArguments = [], of subscribers: String? = nil,
    _ body: (AppleReport, BoundStatement.Columns, _ shape: () throws -> AppleReportRow) throws -> Void
  ) throws {
    let source =
      subscribers == nil
      ? "apple_report_rows WHERE report_id = ?"
      : "json_each(?) CROSS JOIN apple_report_rows WHERE subscriber = value"
    let reports = try kinds.flatMap { try self.reports($0.0, $0.days) }
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

  private func reports(
    _ kinds: [AppleReportKind], _ days: ClosedRange<CivilDate>?
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
