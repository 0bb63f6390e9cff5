import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Day in Pacific Time, which Apple's reports use, counted from 2024-10-04.
private func pacific(_ number: Int) -> CivilDate { CivilDate(daysSince1970: 20_000 + number) }

extension AppleReport {
  fileprivate static func make(
    _ kind: AppleReportKind = .sales, _ number: Int = 0, vendor: String = "85012345", region: String = ""
  ) -> AppleReport {
    AppleReport(kind: kind, vendor: vendor, region: region, from: pacific(number), through: pacific(number))
  }
}

extension AppleReportRow {
  fileprivate static func make(
    _ measure: AppleMeasure = .sale, _ units: Int64 = 1, id: String = "1", product: String? = "gold",
    storefront: String = "USA", price: Int64? = 9_990_000, subscriber: String? = nil, on number: Int = 0
  ) -> AppleReportRow {
    var row = AppleReportRow(
      day: pacific(number), measure: measure, appleID: id, storefront: StorefrontCode(storefront))
    (row.product, row.units, row.subscriber) = (product.map(ProductID.init), units, subscriber)
    row.price = price.map { Money(micros: $0, currency: CurrencyCode("USD")) }
    row.amount = price.map { Money(micros: Int128($0) * Int128(units), currency: CurrencyCode("USD")) }
    row.proceeds = row.amount.map { Money(micros: $0.micros / 2, currency: CurrencyCode("EUR")) }
    return row
  }

  fileprivate var words: String {
    [
      "\(day.daysSince1970 - 20_000)", measure.rawValue, "\(units)", appleID, product?.rawValue ?? "-",
      storefront.rawValue, amount.map { "\($0.currency) \($0.micros)" } ?? "-",
      proceeds.map { "\($0.currency) \($0.micros)" } ?? "-", subscriber ?? "-",
    ].joined(separator: " ")
  }
}

@Suite("Apple's reports in the store") struct AppleReportTests {
  private let shelf: Shelf

  init() throws { shelf = try Shelf() }

  @discardableResult
  private func add(
    _ report: AppleReport, _ rows: [AppleReportRow], digest: UInt128, at number: Int = 0
  ) throws -> AppleReportSummary {
    let items = [.begin(report, needsDay: false)] + rows.map(AppleReportItem.row)
    return try add(items + [.end(lines: rows.count, digest: digest)], at: number)
  }

  private func add(_ items: [AppleReportItem], at number: Int = 0) throws -> AppleReportSummary {
    var pages = items.isEmpty ? [] : [Array(items.prefix(1)), Array(items.dropFirst())]
    return try shelf.store.addAppleReports(
      pages: { pages.isEmpty ? .end : .items(pages.removeFirst()) }, at: day(number)
    ) { salt, id in "\(salt.utf8.count)-\(id)" }
  }

  /// Number of lines, and days of import and replacement, of each version of the reports.
  private func versions() throws -> [String] {
    try shelf.raw { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT line_count || ' ' || ((imported_at_ms - ?1) / \(Milliseconds.day)) || ' '
            || ifnull((replaced_at_ms - ?1) / \(Milliseconds.day), '-') FROM apple_reports ORDER BY id
          """, arguments: [day(0).rawValue])
    }
  }

  private func rows(
    _ kinds: [AppleReportKind] = [.sales], _ days: ClosedRange<Int> = 0...9, at: Int? = nil
  ) throws -> [String] {
    try shelf.store.readingAppleReports(asKnownAt: at.map { day($0) }) {
      try $0.rows(kinds, days: pacific(days.lowerBound)...pacific(days.upperBound))
    }.map(\.row.words).sorted()
  }

  @Test func equalRowsAreAddedUp() throws {
    let summary = try add(
      .make(), [.make(), .make(.sale, 2), .make(.sale, 1, storefront: "CHN"), .make(.sale, 1, price: nil)],
      digest: 1)
    #expect(summary.new == 1 && summary.lines == 4 && summary.reports == 1)
    #expect(
      try rows() == [
        "0 sale 1 1 gold CHN USD 9990000 EUR 4995000 -", "0 sale 1 1 gold USA - - -",
        "0 sale 3 1 gold USA USD 29970000 EUR 14985000 -",
      ])
    #expect(try shelf.table("apple_report_rows").count == 3)
    #expect(try shelf.store.appleReports() == [.make()])
    #expect(try versions() == ["4 0 -"])
  }

  @Test func theSameContentChangesNothing() throws {
    let (first, again) = ([AppleReportRow.make()], [AppleReportRow.make(.sale, 7)])
    try add(.make(), first, digest: 1)
    let before = try shelf.table("apple_reports") + shelf.table("apple_report_rows")
    #expect(try add(.make(), again, digest: 1, at: 1).unchanged == 1)
    #expect(try shelf.table("apple_reports") + shelf.table("apple_report_rows") == before)
  }

  @Test func otherContentIsANewerVersion() throws {
    try add(.make(), [.make(.sale, 1)], digest: 1, at: 1)
    #expect(try add(.make(), [.make(.sale, 2)], digest: 2, at: 3).replaced == 1)
    #expect(try add(.make(), [.make(.sale, 1)], digest: 1, at: 5).replaced == 1)
    let units = try [0, 1, 2, 3, 4, 5, 6].map { at in
      try rows(at: at).map { String($0.split(separator: " ")[2]) }
    }
    #expect(units == [[], ["1"], ["1"], ["2"], ["2"], ["1"], ["1"]])
    #expect(try rows().count == 1)
    #expect(try versions() == ["1 1 3", "1 3 5", "1 5 -"])
  }

  @Test func reportsAreApartByKindVendorRegionAndDay() throws {
    let reports: [AppleReport] = [
      .make(), .make(.sales, 1), .make(.sales, 0, vendor: "86000000"), .make(.events),
      .make(.financial, 0, region: "US"), .make(.financial, 0, region: "EU"),
    ]
    #expect(try shelf.store.reportedDays() == nil)
    for (number, report) in reports.enumerated() {
      #expect(try add(report, [.make()], digest: UInt128(number)).new == 1, "\(report)")
    }
    #expect(try shelf.store.reportedDays() == pacific(0)...pacific(1))
    #expect(try shelf.store.reportedDays(asKnownAt: day(-1)) == nil)
    #expect(try shelf.store.appleReports().count == 6)
    #expect(try rows([.sales], 0...0).count == 2 && rows([.sales], 1...1).count == 1)
    #expect(try rows([.sales, .events, .financial]).count == 6 && rows([.subscriber]).isEmpty)
  }

  /// A renamed file is the same report: the vendor is only in the name.
  @Test func aVendorIsLearntLater() throws {
    try add(.make(.sales, 0, vendor: ""), [.make()], digest: 1)
    #expect(try add(.make(), [.make()], digest: 1).unchanged == 1)
    #expect(try shelf.store.appleReports() == [.make()])
    #expect(try add(.make(.sales, 0, vendor: ""), [.make()], digest: 2).replaced == 1)
    #expect(try rows().count == 1)
  }

  @Test func balancesHaveTheReportsDay() throws {
    var row = AppleReportRow.make(AppleMeasure(rawValue: "billing retry"), 5, product: nil)
    row.day = CivilDate(daysSince1970: 0)
    try add(.make(.subscription, 4), [row], digest: 1)
    #expect(try rows([.subscription]).map { String($0.prefix(15)) } == ["4 billing retry"])
  }

  /// Subscription event reports identify products by Apple's numeric ids only.
  @Test func productsAreLearntFromOtherReports() throws {
    let row = AppleReportRow.make(AppleMeasure(rawValue: "renew"), 1, product: nil, price: nil)
    try add(.make(.events), [row], digest: 1)
    #expect(try rows([.events]) == ["0 renew 1 1 - USA - - -"])
    try add(.make(.sales), [.make(), .make(.sale, 1, product: nil)], digest: 2)
    #expect(try rows([.events]) == ["0 renew 1 1 gold USA - - -"])
    try add(.make(.financeDetail), [.make(.sale, 1, product: "platinum")], digest: 3)
    #expect(try rows([.events]) == ["0 renew 1 1 platinum USA - - -"])
  }

  @Test func subscribersAreHashedWithASecretSalt() throws {
    let report = AppleReport.make(.subscriber)
    let mine = [AppleReportRow.make(subscriber: "77", on: -1), .make(subscriber: "78", on: -1)]
    try add(report, mine, digest: 1)
    let listed = try shelf.store.readingAppleReports {
      try $0.subscriberRows(days: pacific(0)...pacific(0))
    }
    #expect(Set(listed.compactMap(\.row.subscriber)) == ["64-77", "64-78"])
    #expect(listed.allSatisfy { $0.report == report && $0.row.day == pacific(-1) })
    #expect(try rows([.subscriber]) == ["-1 sale 2 1 gold USA USD 19980000 EUR 9990000 -"])
    let salt = try shelf.table("apple_subscriber_salt")
    try add(.make(.subscriber, 1), mine, digest: 2)
    #expect(try shelf.table("apple_subscriber_salt") == salt && salt.count == 1)
    #expect(try Shelf().table("apple_subscriber_salt").isEmpty)
  }

  /// The report has more rows than the store keeps in memory, some of them equal.
  @Test func aLargeReportIsWrittenInParts() throws {
    let many = (0..<50_000).map { AppleReportRow.make(.sale, 1, id: "\($0 % 30_000)", product: nil) }
    try add(.make(), many, digest: 1)
    let all = try shelf.store.readingAppleReports { try $0.rows([.sales], days: pacific(0)...pacific(0)) }
    #expect(all.count == 30_000 && all.reduce(0) { $0 + $1.row.units } == 50_000)
    let count = try shelf.table("apple_report_rows").count
    #expect(try add(.make(), many, digest: 1).unchanged == 1)
    #expect(try shelf.table("apple_report_rows").count == count)
    #expect(try shelf.table("apple_reports").count == 1)
  }

  @Test func sumsMayExceed64Bits() throws {
    var row = AppleReportRow.make(.sale, 1, price: 999_999_999_000_000)
    row.amount = Money(micros: 1_000_000_000_000_000_000 as Int64, currency: CurrencyCode("USD"))
    try add(.make(), Array(repeating: row, count: 40), digest: 1)
    let amounts = try shelf.store.readingAppleReports {
      try $0.rows([.sales], days: pacific(0)...pacific(0)).compactMap(\.row.amount?.micros)
    }
    #expect(amounts == [40 * 1_000_000_000_000_000_000])
    #expect(try shelf.store.status(at: day(1), check: true).integrity == "ok")
  }

  @Test func anImportIsWholeOrNotAtAll() throws {
    try add(.make(.sales, 1), [.make()], digest: 1)
    let before = try shelf.table("apple_reports") + shelf.table("apple_report_rows")
    var pages: [ImportPage<AppleReportItem>] = [
      .items([.begin(.make(), needsDay: false), .row(.make()), .end(lines: 1, digest: 2)]), .abandon,
    ]
    let summary = try shelf.store.addAppleReports(pages: { pages.removeFirst() }, at: day(0)) { $0 + $1 }
    #expect(summary.reports == 0)
    #expect(try shelf.table("apple_reports") + shelf.table("apple_report_rows") == before)
    #expect(try add([]).reports == 0)
  }

  static let damages = [
    "UPDATE apple_report_rows SET day = -1", "UPDATE apple_report_rows SET units = 1 << 60",
    "UPDATE apple_report_rows SET amount_micros = 2 * 1000000000000000000",
    "UPDATE apple_report_rows SET shape_id = 99", "DELETE FROM apple_reports",
    "UPDATE apple_report_shapes SET currency = 'us'", "UPDATE apple_reports SET through_day = 1 << 40",
  ]

  @Test(arguments: damages) func damageIsFound(_ sql: String) throws {
    try add(.make(), [.make()], digest: 1)
    #expect(try shelf.store.status(at: day(1), check: true).integrity == "ok")
    try shelf.write(sql)
    #expect(try shelf.store.status(at: day(1), check: true).integrity != "ok")
  }
}
