import Glibc
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

enum ReportText {
  static let names = [
    "S_D_85012345_20260218.txt", "Subscription_85012345_20260218_V1_3.txt",
    "Subscription_Event_85012345_20260218_V1_3.txt", "Subscriber_85012345_20260218_V1_3.txt",
    "85012345_0526_US.txt", "FinanceDetail_Z1_2026-05.txt",
  ]

  static func text(_ name: String, units: Int = 1) -> String {
    let lines =
      switch name.prefix(12) {
      case "S_D_85012345":
        [
          "SKU|Product Type Identifier|Units|Developer Proceeds|Begin Date|End Date|Customer Currency|Country Code|Currency of Proceeds|Apple Identifier|Customer Price|Order Type",
          "gold|IAY|\(units)|8.49|02/18/2026|02/18/2026|USD|US|USD|4711|9.99| ",
        ]
      case "Subscription" where name.contains("Event"):
        [
          "Event Date|Event|Subscription Apple ID|Country|Subscription Offer Type|Quantity",
          "2026-02-18|Renew|4711|US||\(units)",
        ]
      case "Subscription":
        [
          "Subscription Apple ID|Customer Price|Customer Currency|Country|Active Standard Price Subscriptions|Billing Retry",
          "4711|9.99|USD|US|\(units)|0",
        ]
      case "Subscriber_8":
        [
          "Event Date|Subscription Apple ID|Subscription Offer Type|Customer Price|Customer Currency|Developer Proceeds|Proceeds Currency|Country|Subscriber ID|Refund|Purchase Date|Units",
          "2026-02-18|4711||9.99|USD|8.49|USD|US|1234567890||2026-02-18|\(units)",
        ]
      case "85012345_052":
        [
          "Start Date|End Date|Vendor Identifier|Quantity|Extended Partner Share|Partner Share Currency|Sales or Return|Apple Identifier|Product Type Identifier|Country Of Sale|Customer Price|Customer Currency",
          "02/01/2026|02/28/2026|gold|\(units)|8.49|USD|S|4711|IAY|US|9.99|USD", "Total_Rows|1",
        ]
      default:
        [
          "Vendor Name|Example", "Start Date|02/01/2026", "End Date|02/28/2026",
          "Transaction Date|Settlement Date|Apple Identifier|SKU|Product Type Identifier|Country of Sale|Quantity|Extended Partner Share|Partner Share Currency|Customer Price|Customer Currency|Sale or Return",
          "02/18/2026|02/19/2026|4711|gold|IAY|US|\(units)|8.49|USD|9.990|USD|S|",
        ]
      }
    return lines.joined(separator: "\n").replacing("|", with: "\t") + "\n"
  }
}

@Suite("Import of Apple's reports") struct ImportAppleReportsTests {
  private let subtop: Subtop
  private let folder: String

  init() throws {
    subtop = try Subtop()
    folder = subtop.home / "reports"
    mkdir(folder, 0o700)
  }

  private func write(_ name: String, _ text: String? = nil, units: Int = 1) throws {
    try File.write(text ?? ReportText.text(name, units: units), to: "\(folder)/\(name)")
  }

  private func run(_ arguments: String..., code: Int32 = 0) async throws -> String {
    try await subtop.run(["import", "apple-reports"] + arguments, code: code).errors
  }

  private func units(_ at: Instant? = nil) throws -> [Int64] {
    let store = try ReceiptStore(path: subtop.store, access: .readOnly)
    let february = try #require(CivilDate(year: 2026, month: 2, day: 18))
    return try store.readingAppleReports(asKnownAt: at) {
      try $0.rows(AppleReportKind.allCases, days: february...february).map(\.row.units)
    }
  }

  @Test func aFolderIsTakenAsItsFiles() async throws {
    for name in ReportText.names { try write(name) }
    try write("notes.md", "Downloaded on Monday")
    try write(".hidden.txt", "nothing")
    #expect(try await run(folder) == "imported 6 reports with 6 rows: 6 new\n")
    #expect(try units() == [1, 1, 1, 1, 1, 1])
    let before = try StoreTables(subtop.store)
    #expect(try await run(folder) == "imported 6 reports with 6 rows: 6 unchanged\n")
    #expect(try StoreTables(subtop.store) == before)
    let known = SystemTime.now
    try write(ReportText.names[0], units: 2)
    #expect(try await run(folder) == "imported 6 reports with 6 rows: 1 replaced, 5 unchanged\n")
    #expect(try units().sorted() == [1, 1, 1, 1, 1, 2])
    #expect(try units(known) == [1, 1, 1, 1, 1, 1], "as known before")
    let status = try await subtop.run("status", "--check", "--format", "json").json
    #expect(status["integrity"]?.text == "ok")
  }

  /// The Subscriber ID and the salt are in no output; the ID is not in the store either.
  @Test func subscribersAreHashed() async throws {
    try write(ReportText.names[3])
    _ = try await run(folder)
    let store = try ReceiptStore(path: subtop.store, access: .readOnly)
    let february = try #require(CivilDate(year: 2026, month: 2, day: 18))
    func someone(_ store: ReceiptStore) throws -> String? {
      try store.readingAppleReports {
        try $0.subscriberRows(days: february...february).first?.row.subscriber
      }
    }
    let subscriber = try #require(try someone(store))
    #expect(subscriber.utf8.count == 32 && subscriber.allSatisfy(\.isHexDigit))
    #expect(try !File.contains("1234567890", in: subtop.store))
    var other = try Subtop()
    other.variables = subtop.variables
    _ = try await other.run("import", "apple-reports", folder, code: 0)
    let elsewhere = try ReceiptStore(path: other.store, access: .readOnly)
    #expect(try someone(elsewhere) != subscriber, "each store has its own salt")
  }

  @Test func aCompressedFileIsTheSameReport() async throws {
    for name in ReportText.names { try write(name) }
    _ = try await run(folder)
    _ = try await subtop.shell("gzip '\(folder)'/*.txt", code: 0)
    #expect(try await run(folder) == "imported 6 reports with 6 rows: 6 unchanged\n")
    try File.write(
      try File.bytes("\(folder)/\(ReportText.names[0]).gz").dropLast(9).map(\.self), to: "\(folder)/x.gz")
    let cut = try await run("\(folder)/x.gz", code: 65)
    #expect(cut.contains("/x.gz, line ") && cut.contains("the compressed file is cut off; download it again"))
  }

  @Test func theDayAndTheVendorMayBeGiven() async throws {
    try write("report.txt", ReportText.text(ReportText.names[1]))
    let refused = try await run("\(folder)/report.txt", code: 65)
    #expect(
      refused.contains(
        "/report.txt, line 1: neither the Subscription report nor the file's name has a date; pass one, such as --report-date 2026-02-18"
      ))
    #expect(refused.contains("1 bad line, so nothing was imported; download the file again, or leave it out"))
    #expect(!File.exists(subtop.store))
    _ = try await run("\(folder)/report.txt", "--report-date", "2026-02-18", "--vendor", "85012345")
    try write(ReportText.names[1])
    #expect(
      try await run("\(folder)/\(ReportText.names[1])") == "imported 1 report with 1 row: 1 unchanged\n")
    let input = try await subtop.run(
      ["import", "apple-reports", "-", "--report-date", "2026-02-18"], input: "\(folder)/report.txt", code: 0)
    #expect(input.errors == "imported 1 report with 1 row: 1 unchanged\n")
  }

  @Test func aBadFileImportsNothing() async throws {
    for name in ReportText.names { try write(name) }
    _ = try await run(folder)
    let before = try StoreTables(subtop.store)
    for name in ReportText.names { try write(name, units: 3) }
    try write("zzz.txt", ReportText.text(ReportText.names[0]) + "one\ttwo\n")
    let errors = try await run(folder, code: 65)
    #expect(errors.contains("/zzz.txt, line 3: it has 2 fields instead of 12"))
    #expect(try StoreTables(subtop.store) == before)
    try write("zzz.txt", "Dear Sir\n")
    #expect(
      try await run(folder, code: 65).contains("/zzz.txt, line 1: the header is of none of Apple's reports"))
    #expect(try StoreTables(subtop.store) == before)
  }

  @Test func whatIsNotKnownIsMentionedOnce() async throws {
    let (evil, shown) = ("Col\u{1B}[31mour\u{202E}", "Col?[31mour?")
    let events = ReportText.text(ReportText.names[2])
    let header = events.prefix { $0 != "\n" }
    try write(
      ReportText.names[2],
      header
        + "\t\(evil)\n2026-02-18\tBeam\u{1B}Up\t4711\tUS\t\t1\tx\n2026-02-18\tBeam\u{1B}Up\t4711\tUS\t\t1\ty\n"
    )
    let errors = try await run(folder)
    #expect(
      errors == """
        imported 1 report with 2 rows: 1 new
        unknown columns, kept only if they are counts: \(shown)
        unknown events, counted under their own names: beam up

        """)
    #expect(try units() == [2])
  }

  @Test(arguments: [
    (["import", "apple-reports", "x", "--skip-invalid"], "--skip-invalid is not for apple-reports"),
    (
      ["import", "receipts", "x", "--report-date", "2026-02-18"],
      "--report-date and --vendor are only for apple-reports"
    ),
    (["import", "apple-reports", "x", "--report-date", "18.02.2026"], "write a day from 2008-07-10"),
    (["import", "apple-reports", "x", "--report-date", "2026-02-30"], "write a day from 2008-07-10"),
    (["import", "apple-reports", "x", "--vendor", "Example"], "--vendor is not a vendor number"),
  ])
  func wrongUsageIsExplained(_ arguments: [String], _ says: String) async throws {
    try await subtop.run(arguments, code: 64, says: [says])
  }

  @Test func anEmptyFolderIsNoInput() async throws {
    #expect(
      try await run(folder, code: 66).contains("the folder has no file with the ending .txt, .tsv or .gz"))
    #expect(!File.exists(subtop.store))
  }
}

private enum SystemTime {
  static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
