import GRDB
import Subscriptions

extension ReceiptStore {
  /// Compares a window's figures with Apple's daily reports; `nil` if the window precedes or follows all.
  ///
  /// A window without a calendar period covers its number of days up to the last reported day.
  public func reconciliation(
    over window: Window, asKnownAt at: Instant? = nil
  ) throws(StoreError) -> Reconciliation? {
    try read("compare Apple's reports with") { db -> Reconciliation? in
      let reader = try AppleReportReader(db, asKnownAt: at)
      guard let reported = try reader.reportedDays() else { return nil }
      let last = reported.upperBound
      let asked =
        window.period.map { $0.start(in: .utc).civilDate...$0.end(in: .utc).civilDate }
        ?? CivilDate(daysSince1970: last.daysSince1970 - max(0, window.days - 1))...last
      return asked.overlaps(reported)
        ? try reconciliation(days: asked.clamped(to: reported), reader, db) : nil
    }
  }

  /// Returns the first and last day with a daily report from Apple, as known at `at`; `nil` without reports.
  public func reportedDays(asKnownAt at: Instant? = nil) throws(StoreError) -> ClosedRange<CivilDate>? {
    try readingAppleReports(asKnownAt: at) { try $0.reportedDays() }
  }

  /// Compares the figures of days in Pacific Time with Apple's daily reports, as known at `at` (`nil`: now).
  public func reconciliation(
    days: ClosedRange<CivilDate>, asKnownAt at: Instant? = nil
  ) throws(StoreError) -> Reconciliation {
    try read("compare Apple's reports with") { db in
      try reconciliation(days: days, AppleReportReader(db, asKnownAt: at), db)
    }
  }

  private func reconciliation(
    days: ClosedRange<CivilDate>, with kinds: [AppleReportKind] = AppleReportKind.allCases,
    _ reader: AppleReportReader, _ db: Database
  ) throws -> Reconciliation {
    let (first, last) = (days.lowerBound.daysSince1970, days.upperBound.daysSince1970)
    func around(_ before: Int, _ after: Int) -> ClosedRange<CivilDate> {
      CivilDate(daysSince1970: first - before)...CivilDate(daysSince1970: last + after)
    }
    // An event may be in the report of the day before or after its own. Reports of late payments and of other
    // events of unpaid subscriptions may be as far away as a subscription can stay unpaid.
    let unpaid = OwnFigures.unpaidDays
    // A monthly customer may have no transaction in the window, so the month before it is read too.
    let earlier = 31
    let rows = try reader.countedRows(
      [
        ([.subscription, .sales], around(1, 1)), ([.events], around(unpaid, unpaid)),
        ([.subscriber], around(1 + earlier, OwnFigures.graceDays)),
      ].map { ($0.filter(kinds.contains), $1) })
    let reports = try reader.reports().filter { kinds.contains($0.kind) }
    return try Reconciliation(
      ownFigures(days, reader.at, earlier: earlier, db), rows, reports: reports
    ) { transactions in
      let having = try reader.subscribers(
        having: transactions, days: around(1 + earlier, OwnFigures.graceDays))
      return try reader.subscriberRows(days: around(366, OwnFigures.graceDays), of: having)
    }
  }

  /// Compares the sales of fiscal months with Apple's payouts in finance detail reports.
  ///
  /// - Parameters:
  ///   - month: Apple's name of one fiscal month, such as `2026-02`; `nil` for all.
  ///   - days: Days that a fiscal month must overlap; `nil` for all.
  ///   - program: Membership in the Small Business Program, which decides the commission.
  public func payouts(
    month: String? = nil, during days: ClosedRange<CivilDate>? = nil, asKnownAt at: Instant? = nil,
    _ program: SmallBusinessProgram
  ) throws(StoreError) -> [Payout] {
    try read("compare Apple's payouts with") { db -> [Payout] in
      let reader = try AppleReportReader(db, asKnownAt: at)
      var payouts: [Payout] = []
      for report in try reader.reports() where report.kind == .financeDetail {
        let own = report.from...report.through
        guard month == nil || report.fiscalMonth == month, days?.overlaps(own) ?? true else { continue }
        let reconciled = try reconciliation(days: own, with: [.subscriber], reader, db)
        let rows = try reader.rows([.financeDetail], days: report.through...report.through)
        let isSmall = program.memberships.values.joined().contains {
          $0.contains(PacificTime.start(of: report.from))
        }
        payouts += Payout.all(
          report, rows.filter { $0.report == report }.map(\.row), transactions: reconciled.own.transactions,
          lacking: reconciled.missingTransactions,
          returned: reconciled.own.returned(from: report.from, through: report.through),
          commission: isSmall ? .smallBusiness : .standard)
      }
      return payouts
    }
  }

  private func ownFigures(
    _ days: ClosedRange<CivilDate>, _ at: Instant?, earlier: Int, _ db: Database
  ) throws -> OwnFigures {
    let catalog = try CatalogTable.readWithRates(db)
    var question = Question(panel: .overview, at: at ?? .distantFuture - 1)
    question.asKnownThen = at != nil
    question.reportingCurrency = try ReportingCurrency.read(db)
    guard let evidence = try evidence(for: question, db) else {
      return try OwnFigures(ledger(catalog, db), days: days, earlier: earlier)
    }
    return try OwnFigures(
      evidence.ledger(catalog: catalog, panel: question.panel), days: days, earlier: earlier)
  }
}
