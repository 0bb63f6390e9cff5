import Dashboard
import Screen
import Subscriptions
import Testing

@Suite struct ReconcilePanelTests {
  private static func bench(_ reconciliation: Reconciliation?, _ columns: Int = 80, _ rows: Int = 24) -> Bench
  {
    var bench = Bench(columns, rows)
    bench.reconciliation = reconciliation
    bench.send(.opened)
    return bench
  }

  @Test func withoutReportsItExplainsHowToGetThem() {
    var bench = Self.bench(nil)
    bench.press("C")
    Golden.expect(bench.canvas, "reconcile-none")
    bench.press("1")
    #expect(!bench.screen.contains("Apple"))
  }

  @Test func aWindowWithoutReportsNamesTheDaysThatHaveSome() throws {
    var bench = Bench()
    bench.reported =
      try #require(CivilDate(parsing: "2026-05-01"))...#require(CivilDate(parsing: "2026-06-25"))
    bench.send(.opened)
    #expect(!bench.screen.contains("Apple"), "the overview compares nothing")
    bench.press("C")
    #expect(bench.screen.contains("No reports from Apple were imported for these days."))
    #expect(bench.screen.contains("2026-05-01 to 2026-06-25"), "\(bench.screen)")
    #expect(!bench.screen.contains("Matches") && !bench.screen.contains("App Store Connect"))
    bench.press("i")
    #expect(bench.screen.contains("App Store Connect"))
  }

  @Test(arguments: [(80, 24), (120, 40)]) func showsTheAnswerAndTheRests(_ columns: Int, _ rows: Int) {
    var bench = Self.bench(Sample.reconciliation(renewals: 3, absent: [2]), columns, rows)
    #expect(bench.screen.contains("from Apple unexplained"))
    bench.press("C")
    Golden.expect(bench.canvas, "reconcile")
  }

  @Test func enterShowsCausesAndDays() {
    var bench = Self.bench(Sample.reconciliation(renewals: 3))
    bench.press("C", "g")
    guard case .reconciled(let lines)? = bench.state.tableExport?.records else { return #expect(Bool(false)) }
    #expect(lines.first?.finalRest == 3 && lines.allSatisfy { $0.part == nil })
    bench.press("enter")
    Golden.expect(bench.canvas, "reconcile-figure")
    guard case .reconciled(let days)? = bench.state.tableExport?.records else { return #expect(Bool(false)) }
    #expect(!days.isEmpty && days.allSatisfy { $0.part != nil })
    bench.press("esc")
    #expect(bench.screen.contains("Does it match Apple?"))
    bench.press("i")
    #expect(bench.screen.contains("subtop import apple-reports"))
  }

  @Test func theOverviewSaysThatItMatches() {
    var bench = Self.bench(Sample.reconciliation(renewals: 0))
    #expect(bench.screen.contains("matches Apple to"))
    bench.press("C")
    #expect(bench.screen.contains("Matches Apple through"))
  }

  @Test func payoutsStandBelowTheFigures() throws {
    let first = try #require(CivilDate(year: 2025, month: 11, day: 2))
    let last = try #require(CivilDate(year: 2025, month: 11, day: 29))
    let eur = CurrencyCode("EUR")
    var row = AppleReportRow(day: first, measure: .sale, appleID: "1", storefront: StorefrontCode("DEU"))
    (row.units, row.price) = (1, Money(micros: 10_000_000, currency: eur))
    row.proceeds = Money(micros: 8_500_000, currency: eur)
    var bench = Bench(120, 50)
    bench.reconciliation = Sample.reconciliation(renewals: 3)
    bench.payouts = Payout.all(
      AppleReport(kind: .financeDetail, vendor: "1", from: first, through: last), [row], transactions: [:],
      returned: [], commission: .smallBusiness)
    bench.send(.opened)
    for rows in [50, 24] {
      bench.send(.input(.resize(Size(columns: 120, rows: rows))))
      bench.press("C", "enter")
      #expect(bench.state.context == .reconcile && !bench.screen.contains("nothing to open"), "\(rows)")
      bench.press("esc")
    }
    bench.send(.input(.resize(Size(columns: 120, rows: 50))))
    #expect(
      bench.screen.contains("2026-02  Apple EUR 8.50, ours after commission EUR 0.00, rest EUR 8.50"),
      "\(bench.screen)")
    #expect(bench.screen.contains("Payouts have a rest."))
    bench.send(.input(.resize(Size(columns: 120, rows: 24))))
    for keys in [["G"], ["g"]] {
      for key in keys { bench.press(key) }
      #expect(bench.selectedLine != nil, "\(bench.screen)")
    }
  }

  /// A query that each change of the store replaced would never be answered.
  @Test func aSlowAnswerIsShownThoughTheStoreChanges() throws {
    var bench = Bench()
    bench.answers = false
    bench.send(.opened)
    func asked(_ bench: Bench) -> [Int] {
      bench.effects.compactMap { if case .loadReconciliation(_, _, let serial) = $0 { serial } else { nil } }
    }
    bench.press("C")
    let first = asked(bench)
    for _ in 0..<3 {
      bench.send(.storeChanged)
      bench.wait(60_000)
    }
    #expect(asked(bench) == first)
    bench.send(.reconciled(Sample.reconciliation(renewals: 3), [], serial: try #require(first.last)))
    #expect(bench.screen.contains("Largest rest"), "\(bench.screen)")
    #expect(asked(bench).count == first.count + 1, "the changes are read after the answer")
  }

  @Test func aFailureIsShown() {
    var bench = Bench()
    bench.answers = false
    bench.send(.opened)
    bench.press("C")
    guard case .loadReconciliation(_, _, let serial)? = bench.effects.last else {
      Issue.record("\(bench.effects)")
      return
    }
    bench.send(.failed("cannot compare", serial: serial))
    #expect(bench.screen.contains("could not be read"))
  }
}
