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

  // MARK: Sums

  @Test func unitsAreThePurchasesThatBecameVisible() {
    let may = ReportTown.day("2026-05-01")...ReportTown.day("2026-05-31")
    let before = Set(
      ReportTown.bought(by: PacificTime.start(of: may.lowerBound) - 1).map(\.transactionID))
    let bought = ReportTown.bought(by: PacificTime.end(of: may.upperBound)).filter {
      !before.contains($0.transactionID)
    }
    let sold = ReportTown.rows(.sales, may).filter { $0.number("Units") > 0 }
    func units(_ type: String) -> Int {
      sold.filter { $0.text("Product Type Identifier") == type }.reduce(0) { $0 + $1.number("Units") }
    }
    #expect(units("IAY") == bought.count { $0.expiresDate != nil } && units("IAY") > 300)
    #expect(units("IA1") == bought.count { $0.expiresDate == nil } && units("IA1") > 0)
    let purchases = ReportTown.rows(.subscriber, may).filter { $0.text("Refund").isEmpty }
    #expect(purchases.reduce(0) { $0 + $1.number("Units") } == units("IAY"))
  }

  @Test func salesAndSubscriberReportsHaveTheSameMoney() {
    func sums(_ kind: AppleReportKind, _ price: String) -> [String: Int] {
      ReportTown.rows(kind).reduce(into: [:]) { sums, row in
        guard row["Product Type Identifier"] ?? "IAY" == "IAY" else { return }
        let (units, price) = (row.number("Units"), row.cents(price))
        let isRefund = row.cents("Customer Price") < 0
        let count = max(1, abs(units)) * (isRefund ? -1 : 1)
        sums[row.text("Customer Currency") + (isRefund ? " refunds" : ""), default: 0] += count * abs(price)
      }
    }
    for name in ["Customer Price", "Developer Proceeds"] {
      let sold = sums(.sales, name)
      #expect(sold == sums(.subscriber, name) && sold.count > 15)
    }
  }

  @Test func balancesAreTheStatesOfTheLives() {
    for text in ["2026-03-29", "2026-05-03", "2026-06-14"] {
      let (t, rows) = (
        PacificTime.end(of: ReportTown.day(text)), ReportTown.sheet(.subscription, ReportTown.day(text))
      )
      let counted = rows.rows.reduce(into: [String: Int]()) { sums, row in
        for (name, value) in row where name.contains("Offer") || name.hasPrefix("Active") {
          sums["running", default: 0] += Int(value) ?? 0
        }
        sums["grace", default: 0] += row.number("Grace Period")
        sums["retry", default: 0] += row.number("Billing Retry")
      }
      #expect(counted == Self.states(at: t), "\(text)")
      #expect(counted.values.allSatisfy { $0 > 0 })
    }
  }

  /// Counts states from what an answer of the App Store would show.
  private static func states(at t: Instant) -> [String: Int] {
    ReportTown.sellers.reduce(into: [:]) { states, person in
      let gone = person.accountGoneFrom ?? .distantFuture
      let (now, before) = (
        person.history(until: min(gone - 1, t)), person.history(until: t - Milliseconds.day)
      )
      let own = now.transactions.filter { !$0.inAppOwnershipType.isShared }
      for (chain, rows) in Dictionary(grouping: own, by: \.originalTransactionID) {
        func info(_ history: SubscriberHistory) -> RenewalInfo? {
          history.renewalInfos.first { $0.originalTransactionID == chain }
        }
        let begun = rows.filter { $0.purchaseDate <= t && !$0.isUpgraded }
        let paid = begun.filter { $0.cancellationDate == nil }.compactMap(\.expiresDate).max()
        let refunded = begun.filter { $0.cancellationDate != nil }.compactMap(\.expiresDate).max()
        guard let end = paid else { continue }
        if end > t {
          states["running", default: 0] += 1
        } else if gone > t, refunded ?? end <= end, let info = info(now), info.isInBillingRetryPeriod == true
        {
          let isGrace = info.gracePeriodExpiresDate.map { $0 > t } ?? false
          states[isGrace ? "grace" : "retry", default: 0] += 1
        } else if gone > t, info(now)?.isInBillingRetryPeriod == false,
          info(now)?.expirationIntent == .billingError, info(before)?.isInBillingRetryPeriod == true
        {
          // Apple ends billing retry a day later.
          states["retry", default: 0] += 1
        }
      }
    }
  }

  @Test func eventsLeadFromOneBalanceToTheNext() {
    func total(_ day: CivilDate) -> Int {
      ReportTown.sheet(.subscription, day).lines.reduce(0) { sum, line in
        sum
          + line.enumerated().reduce(0) {
            $0 + ($1.offset > 17 && $1.offset != 31 ? Int($1.element) ?? 0 : 0)
          }
      }
    }
    for (before, day) in zip(ReportTown.each(ReportTown.days), ReportTown.each(ReportTown.days).dropFirst()) {
      func count(_ starts: String...) -> Int {
        ReportTown.sheet(.events, day).rows.filter { row in
          starts.contains { row.text("Event").hasPrefix($0) }
        }
        .reduce(0) { $0 + $1.number("Quantity") }
      }
      let ended = total(before) + count("Start", "Subscribe", "Reactiv") - count("Cancel") - total(day)
      // A customer whose expired period is refunded can still pay in the grace period.
      #expect((-count("Renewals from Grace")...count("Refund")).contains(ended), "\(day)")
    }
    let names = Set(ReportTown.rows(.events).map { $0.text("Event") })
    let expected: Set = [
      "Start Introductory Offer", "Start Offer Code", "Subscribe", "Renew", "Cancel", "Upgrade", "Downgrade",
      "Paid Subscription from Introductory Offer", "Renewal from Billing Retry", "Renewals from Grace Period",
      "Reactivate", "Reactivation to Promotional Offer", "Billing Retry from Paid Subscription", "Refund",
      "Canceled from Billing Retry",
    ]
    #expect(names.isSuperset(of: expected), "\(expected.subtracting(names))")
  }

  // MARK: Apple's rules

  @Test func renewalsAreBilledUpToADayEarly() {
    var early = 0
    for day in ReportTown.each(ReportTown.days) {
      for row in ReportTown.sheet(.events, day).rows {
        let ahead = ReportTown.number(row.text("Event Date")) - day.daysSince1970
        early += ahead == 1 && row.text("Event") == "Renew" ? 1 : 0
        let isOfGrace = row.text("Event") == "Renewals from Grace Period"
        let isEnd = row.text("Event").hasPrefix("Cancel")
        #expect(ahead == 0 || (ahead == 1 && !isEnd) || (isOfGrace && (-16...0).contains(ahead)), "\(row)")
      }
    }
    #expect(early > 50)
  }

  @Test func creditsAreForWholeDays() {
    // Months have 672 to 745 hours.
    let possible = Set(
      (28...31).flatMap { days in [0, 1, -1].map { days * 24 + $0 } }.flatMap { hours in
        (1...31).map { day in Int((Double(499 * day * 24) / Double(hours)).rounded()) }
      })
    let credits = ReportTown.rows(.sales).filter { row in
      row.number("Units") == 0 && row.text("SKU").hasSuffix("plus.monthly")
        && row.text("Customer Currency") == "USD" && row.text("Order Type") == " "
    }
    #expect(credits.count > 2)
    for row in credits {
      let price = -row.cents("Customer Price")
      #expect(possible.contains(price) && price < 499)
      let share = row.text("Proceeds Reason") == " " ? 0.7 : 0.85
      #expect(abs(Double(row.cents("Developer Proceeds")) - Double(price) * share) <= 1)
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

  @Test func customersKeepTheirSubscriberID() {
    let rows = ReportTown.rows(.subscriber)
    let people = Dictionary(grouping: rows) { $0.text("Subscriber ID") }
    #expect(people.count > 300 && people.count < rows.count)
    #expect(people.keys.allSatisfy { $0.count == 13 && Int($0) != nil })
    for rows in people.values {
      #expect(Set(rows.map { $0.text("Country") + $0.text("Device") }).count == 1)
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
    let reports = FakeReports(of: people, days: ReportTown.days)
    for kind in ReportTown.kinds {
      #expect(
        reports.text(kind, on: ReportTown.days.upperBound)
          == ReportTown.reports.text(kind, on: ReportTown.days.upperBound))
    }
  }

  @Test func optionsMakeTheNamedDifferences() throws {
    let (first, last) = (ReportTown.day("2026-05-20"), ReportTown.day("2026-05-21"))
    var options = FakeReports.Options()
    (options.absent, options.restated) = ([first], [last])
    let whole = try #require(ReportTown.reports.text(.subscriber, on: last))
    let id = ReportSheet(whole).column("Subscriber ID").first
    options.shifted = Set(0..<900)
    let other = FakeReports(of: ReportTown.population, days: first...last, options)
    #expect(other.text(.sales, on: first) == nil)
    let (early, late) = (other.text(.sales, on: last, isFirst: true), other.text(.sales, on: last))
    #expect(late == ReportTown.reports.text(.sales, on: last))
    #expect(ReportSheet(early).lines == ReportSheet(late).lines.dropLast())
    func dates(_ text: String?) -> [Int] {
      ReportSheet(text).rows.filter { $0["Subscriber ID"] == id }.map {
        ReportTown.number($0.text("Event Date"))
      }
    }
    #expect(dates(other.text(.subscriber, on: last)) == dates(whole).map { $0 + 1 })
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
