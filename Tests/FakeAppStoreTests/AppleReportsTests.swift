import AppStore
import FakeAppStore
import Subscriptions
import TestSupport
import Testing

@Suite("Apple's reports of the fake App Store") struct AppleReportsTests {
  @Test(arguments: ["2026-03-29", "2026-04-17", "2026-05-20"]) func dependOnNothingElse(_ text: String) {
    let (day, next) = (ReportTown.day(text), ReportTown.day("2026-05-21"))
    let alone = FakeReports(of: ReportTown.population, days: day...day)
    let other = FakePopulation(subscribers: 900, seed: 4, founded: Town.now)
    let others = FakeReports(of: other, days: day...day)
    for kind in ReportTown.kinds {
      let whole = ReportTown.reports.text(kind, on: day)
      #expect(whole != nil && alone.text(kind, on: day) == whole && others.text(kind, on: day) != whole)
      #expect(alone.text(kind, on: next) == nil)
    }
  }

  // MARK: Format

  @Test(arguments: [
    (AppleReportKind.sales, 28, "Provider", "Order Type"),
    (.subscription, 35, "App Name", "Pay As You Go Win-back Offers"),
    (.events, 29, "Event Date", "Paid Service Days Recovered"),
    (.subscriber, 26, "Event Date", "Units"),
  ])
  func haveTheirColumns(_ kind: AppleReportKind, _ count: Int, _ first: String, _ last: String) {
    for day in ReportTown.each(ReportTown.days) {
      let sheet = ReportTown.sheet(kind, day)
      #expect(sheet.header.count == count && sheet.header.first == first && sheet.header.last == last)
      #expect(!sheet.lines.isEmpty && sheet.lines.allSatisfy { $0.count == count })
    }
  }

  @Test(
    .enabled(if: Corpus.hasAppleReports),
    arguments: [
      (AppleReportKind.sales, "S_D_00000000_20201005.txt"),
      (.subscription, "Subscription_00000000_20260218_V1_3.txt"),
      (.subscriber, "Subscriber_00000000_20201005_V1_2.txt"),
      (.events, "Subscription_Event_00000000_20201005_V1_2.txt"),
      (.financeDetail, "FinanceDetail_Z1_2026-02.txt"),
    ])
  func haveTheColumnsOfRealOnes(_ kind: AppleReportKind, _ name: String) throws {
    let text = String(decoding: try #require(Corpus.appleReport(name)), as: UTF8.self)
    let real = ReportSheet(text, leading: kind == .financeDetail ? 3 : 0)
    let ours =
      kind == .financeDetail
      ? ReportSheet(ReportTown.reports.financeDetail(Self.month("2026-08")), leading: 3)
      : ReportTown.sheet(kind, ReportTown.days.lowerBound)
    let renamed = real.header.map { $0.replacing("Promotional Offer Name", with: "Subscription Offer Name") }
    if kind == .events {
      // Version 1_3 has another order, and one column more.
      #expect(Set(ours.header) == Set(renamed + ["Paid Service Days Recovered"]))
    } else {
      #expect(ours.header == renamed)
    }
    // Rows of finance reports have one tab more than their header.
    let extra = kind == .financeDetail ? 1 : 0
    for sheet in [ours, real] {
      #expect(sheet.lines.allSatisfy { $0.count == sheet.header.count + extra })
    }
  }

  @Test func writeDatesAndSignsAsAppleDoes() {
    let day = ReportTown.day("2026-05-20")
    for row in ReportTown.rows(.sales, day...day) {
      #expect(row.text("Begin Date") == "05/20/2026" && row.text("End Date") == "05/20/2026")
      #expect(["IAY", "IA1"].contains(row.text("Product Type Identifier")))
      let isRefund = row.number("Units") <= 0
      #expect((row.cents("Customer Price") < 0) == isRefund && row.cents("Developer Proceeds") >= 0)
    }
    let returned = ReportTown.rows(.subscriber).filter { $0.text("Refund") == "Yes" }
    #expect(Set(returned.map { $0.number("Units") }) == [0, -1])
    for row in ReportTown.rows(.subscriber) {
      let isRefund = row.text("Refund") == "Yes"
      #expect((row.cents("Customer Price") < 0) == isRefund && row.text("Purchase Date").isEmpty != isRefund)
    }
  }

  @Test("Proceeds are the price without tax and commission")
  func proceeds() {
    let rows = ReportTown.rows(.sales).filter { $0.text("Country Code") == "SE" && $0.number("Units") > 0 }
    #expect(rows.count > 10 && Set(rows.map { $0.text("Proceeds Reason") }).count == 2)
    for row in rows {
      let share = row.text("Proceeds Reason") == " " ? 0.7 : 0.85
      let expected = Double(row.cents("Customer Price")) / 1.25 * share
      #expect(abs(Double(row.cents("Developer Proceeds")) - expected) <= 0.5)
    }
  }

  // MARK: Finance

  @Test(arguments: [
    ("2026-02", "2025-11-02", "2025-11-29"), ("2026-01", "2025-09-28", "2025-11-01"),
    ("2026-12", "2026-08-30", "2026-09-26"), ("2023-03", "2022-11-27", "2022-12-31"),
    ("2023-12", "2023-09-03", "2023-09-30"), ("2026-08", "2026-05-03", "2026-05-30"),
  ])
  func fiscalMonths(_ month: String, _ first: String, _ last: String) {
    #expect(Self.month(month).fiscalDays == ReportTown.day(first)...ReportTown.day(last))
  }

  @Test func financeReportsHaveTheSalesThatWereSettled() throws {
    let months = try ["2026-07", "2026-08"].map { name in
      let text = try #require(ReportTown.reports.financeDetail(Self.month(name)))
      return (Self.month(name).fiscalDays, ReportSheet(text, leading: 3).rows)
    }
    for (days, rows) in months {
      for row in rows {
        let dates = ["Transaction Date", "Settlement Date"].map {
          ReportTown.day(ReportTown.dashed(row.text($0)))
        }
        #expect(days.contains(dates[1]))
        #expect((0...10).contains(dates[1].daysSince1970 - dates[0].daysSince1970))
        let total = row.number("Quantity") * row.cents("Partner Share")
        #expect(row.cents("Extended Partner Share") == total)
        #expect((row.text("Sale or Return") == "R") == (row.number("Quantity") < 0))
        #expect((row.number("Quantity") < 0) == row.text("Customer Price").hasPrefix("-"))
      }
    }
    let april = months[0].0
    let sold = ReportTown.rows(.sales, april).filter { $0.cents("Customer Price") > 0 }
    let settled = months.flatMap(\.1).filter { row in
      april.contains(ReportTown.day(ReportTown.dashed(row.text("Transaction Date"))))
        && row.text("Sale or Return") == "S"
    }
    #expect(settled.reduce(0) { $0 + $1.number("Quantity") } == sold.reduce(0) { $0 + $1.number("Units") })
    #expect(ReportTown.reports.financeDetail(Self.month("2026-09")) == nil)
  }

  static func month(_ text: String) -> CivilMonth { CivilMonth(parsing: text) ?? CivilMonth(index: 0) }

  // MARK: Differences

  @Test func onlyReportsContainAMissingCustomer() throws {
    var people = ReportTown.population
    let index = try #require(
      people.subscribers.first { $0.kind == .paying && $0.accountGoneFrom == nil }?.index)
    let all = FakeStore(population: people).receipts(at: Town.now).prefix(50).map(\.jsonLine)
    people.missingFromStore = [index]
    let store = FakeStore(population: people)
    let lost = store.receipt(of: people[index], at: Town.now).jsonLine
    #expect(all.contains(lost))
    #expect(store.receipts(at: Town.now).prefix(49).map(\.jsonLine) == all.filter { $0 != lost })
    #expect(store.past(of: people[index], since: Town.now - 90 * Milliseconds.day, upTo: Town.now).isEmpty)
    let day = ReportTown.days.upperBound
    let reports = FakeReports(of: people, days: day...day)
    #expect(reports.text(.sales, on: day) == ReportTown.reports.text(.sales, on: day))
  }

  @Test func filesAreNamedAsAppleNamesThem() {
    let files = Array(ReportTown.reports.files)
    #expect(files.count == 78 * 4 + 2 && Set(files.map(\.name)).count == files.count)
    let names = [
      "S_D_85000000_20260520.txt", "Subscription_85000000_20260520_V1_3.txt",
      "Subscription_Event_85000000_20260520_V1_3.txt", "Subscriber_85000000_20260520_V1_3.txt",
      "FinanceDetail_85000000_Z1_2026-08.txt",
    ]
    #expect(Set(names).isSubset(of: files.map(\.name)))
  }
}
