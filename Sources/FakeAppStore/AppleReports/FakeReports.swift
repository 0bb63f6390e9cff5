import Subscriptions

/// Apple's downloadable reports, which depend only on the population, the options and the day.
public struct FakeReports: Sendable {
  /// Vendor number, limits, and deliberate differences from the fake App Store's other data.
  public struct Options: Sendable {
    public var vendor = "85000000"
    /// Days without daily reports.
    public var absent: Set<CivilDate> = []
    /// Days whose reports lack their last row until a complete report replaces them three days later.
    public var restated: Set<CivilDate> = []
    /// Indices of subscribers whose events are dated a day after they happened.
    public var shifted: Set<Int> = []
    /// Whether the key lacks the role that may download reports.
    public var isForbidden = false
    public var requestsPerHour = 3600

    public init() {}
  }

  public let days: ClosedRange<CivilDate>
  private let options: Options
  private var rows: ReportRows

  public init(of population: FakePopulation, days: ClosedRange<CivilDate>, _ options: Options = Options()) {
    (self.days, self.options) = (days, options)
    rows = ReportRows(days: days.lowerBound.daysSince1970...days.upperBound.daysSince1970)
    for subscriber in population.subscribers {
      rows.add(subscriber, delay: options.shifted.contains(subscriber.index) ? 1 : 0)
    }
    rows.addUpBalances()
  }

  /// Returns the newest day with reports, which appear at 8:00 Pacific time on the next day.
  public static func newestDay(at now: Instant) -> CivilDate {
    CivilDate(daysSince1970: (now - 8 * Milliseconds.hour).pacificDay - 1)
  }

  /// Returns a daily report, in the version before its restatement if `isFirst`; `nil` if it is absent.
  public func text(_ kind: AppleReportKind, on day: CivilDate, isFirst: Bool = false) -> String? {
    guard days.contains(day), !options.absent.contains(day) else { return nil }
    let (number, lacksRow) = (day.daysSince1970, isFirst && options.restated.contains(day))
    return rows.text(kind, on: number...number, lacking: lacksRow ? 1 : 0)
  }

  /// Returns the finance detail report of a fiscal month; `nil` if not all of its days are among `days`.
  public func financeDetail(_ month: CivilMonth) -> String? {
    let (start, end) = (month.fiscalDays.lowerBound, month.fiscalDays.upperBound)
    guard days.contains(start), days.contains(end) else { return nil }
    return "Vendor Name\tLumen Studio\nStart Date\t\(start.slashed)\nEnd Date\t\(end.slashed)\n"
      + rows.text(.financeDetail, on: start.daysSince1970...end.daysSince1970)
  }

  /// Files of all reports, named as by App Store Connect; days in `options.absent` have no daily reports.
  public var files: some Sequence<(name: String, text: String)> {
    let names: [(kind: AppleReportKind, start: String, end: String)] = [
      (.sales, "S_D", ""), (.subscription, "Subscription", "_V1_3"),
      (.events, "Subscription_Event", "_V1_3"), (.subscriber, "Subscriber", "_V1_3"),
    ]
    return rows.days.lazy.map(CivilDate.init(daysSince1970:)).flatMap { day in
      let place = "_\(options.vendor)_\(day.dashed.filter { $0 != "-" })"
      let daily = names.compactMap { kind, start, end in
        text(kind, on: day).map { (name: start + place + end + ".txt", text: $0) }
      }
      let month = CivilMonth(fiscalEndingOn: day)
      guard month.fiscalDays.upperBound == day, let text = financeDetail(month) else { return daily }
      return daily + [("FinanceDetail_\(options.vendor)_Z1_\(month).txt", text)]
    }
  }
}

extension CivilDate {
  var dashed: String { Instant(startOf: self).dateText }

  /// Date in the form `02/18/2026`.
  var slashed: String { "\(dashed.dropFirst(5).prefix(2))/\(dashed.suffix(2))/\(dashed.prefix(4))" }
}
