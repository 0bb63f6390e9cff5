import Subscriptions

/// Apple's downloadable reports about a population. The report of a day depends only on the population, the
/// options and the day.
public struct FakeReports: Sendable {
  /// Vendor number, and differences from the App Store's other data.
  public struct Options: Sendable {
    public var vendor = "85000000"
    /// Days without reports.
    public var absent: Set<CivilDate> = []
    /// Days whose reports first lack their last row, and are replaced three days later.
    public var restated: Set<CivilDate> = []
    /// Indices of subscribers whose events are dated a day later.
    public var shifted: Set<Int> = []
    /// Whether the key lacks the role that may download reports.
    public var isForbidden = false
    public var requestsPerHour = 3600

    public init() {}
  }

  public let days: ClosedRange<CivilDate>
  private let options: Options
  // By day.
  private var charges: [Int: [ReportedCharge]] = [:]
  private var events: [Int: [ReportedEvent]] = [:]
  private var balances: [Int: [ReportedBalance: Int]] = [:]

  /// - Parameter days: Pacific days.
  public init(of population: FakePopulation, days: ClosedRange<CivilDate>, _ options: Options = Options()) {
    (self.days, self.options) = (days, options)
    let (first, last) = (days.lowerBound.daysSince1970, days.upperBound.daysSince1970)
    var changes: [Int: [ReportedBalance: Int]] = [:]
    for subscriber in population.subscribers {
      let life = ReportedLife(of: subscriber, until: PacificTime.end(of: days.upperBound))
      // Earlier sales may be settled later.
      for charge in life.charges where (first - 10...last).contains(charge.day) {
        charges[charge.day, default: []].append(charge)
      }
      for event in life.events where (first...last).contains(event.day) {
        events[event.day, default: []].append(event)
      }
      for line in life.balances {
        var before: ReportedBalance?
        for (day, balance) in line where day <= last && balance != before {
          if let before { changes[max(day, first), default: [:]][before, default: 0] -= 1 }
          if let balance { changes[max(day, first), default: [:]][balance, default: 0] += 1 }
          before = balance
        }
      }
    }
    var running: [ReportedBalance: Int] = [:]
    for day in first...last {
      running = running.merging(changes[day] ?? [:], uniquingKeysWith: +).filter { $0.value != 0 }
      balances[day] = running
    }
  }

  /// Returns the newest day whose reports have appeared, at 8:00 Pacific of the next day.
  public static func newestDay(at now: Instant) -> CivilDate {
    CivilDate(daysSince1970: (now - 8 * Milliseconds.hour).pacificDay - 1)
  }

  /// Returns a daily report, perhaps without rows; `nil` if it is absent.
  ///
  /// - Parameter isFirst: Whether to return the first version of a restated report.
  public func text(_ kind: AppleReportKind, on day: CivilDate, isFirst: Bool = false) -> String? {
    guard days.contains(day), !options.absent.contains(day) else { return nil }
    let number = day.daysSince1970
    let table: ReportTable
    switch kind {
    case .sales: table = .sales(charges[number] ?? [], day.slashed)
    case .subscriber: table = .subscribers(charges[number] ?? [], options.shifted)
    case .events: table = .events(events[number] ?? [], options.shifted)
    case .subscription: table = .subscriptions(balances[number] ?? [:])
    case .financial, .financeDetail: return nil
    }
    return table.text(lacking: isFirst && options.restated.contains(day) ? 1 : 0)
  }

  /// Returns the finance detail report of a fiscal month; `nil` if not all of its days are among `days`.
  public func financeDetail(_ month: CivilMonth) -> String? {
    let (start, end) = (month.fiscalDays.lowerBound, month.fiscalDays.upperBound)
    guard days.contains(start), days.contains(end) else { return nil }
    let settled = start.daysSince1970...end.daysSince1970
    let all = (settled.lowerBound - 10...settled.upperBound).flatMap { charges[$0] ?? [] }
    return "Vendor Name\tLumen Studio\nStart Date\t\(start.slashed)\nEnd Date\t\(end.slashed)\n"
      + ReportTable.finance(all.filter { settled.contains($0.settled) && $0.item.price > 0 }).text()
  }

  /// Files of all reports, named as App Store Connect names them. Absent reports have none.
  public var files: some Sequence<(name: String, text: String)> {
    let names: [(AppleReportKind, name: String, version: String)] = [
      (.sales, "S_D", ""), (.subscription, "Subscription", "_V1_3"),
      (.events, "Subscription_Event", "_V1_3"), (.subscriber, "Subscriber", "_V1_3"),
    ]
    let numbers = days.lowerBound.daysSince1970...days.upperBound.daysSince1970
    return numbers.lazy.flatMap { number -> [(name: String, text: String)] in
      let day = CivilDate(daysSince1970: number)
      let place = "\(options.vendor)_\(day.dashed.filter { $0 != "-" })"
      let daily = names.compactMap { kind, name, version in
        text(kind, on: day).map { (name: "\(name)_\(place)\(version).txt", text: $0) }
      }
      let month = CivilMonth(fiscalEndingOn: day)
      guard month.fiscalDays.upperBound == day, let text = financeDetail(month) else { return daily }
      return daily + [("FinanceDetail_\(options.vendor)_Z1_\(month).txt", text)]
    }
  }
}

extension CivilDate {
  /// `2026-02-18`
  var dashed: String { Instant(startOf: self).dateText }

  /// `02/18/2026`
  var slashed: String { "\(dashed.dropFirst(5).prefix(2))/\(dashed.suffix(2))/\(dashed.prefix(4))" }
}
