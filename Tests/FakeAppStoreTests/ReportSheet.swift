import AppStore
import FakeAppStore
import Subscriptions

/// Report parsed without the project's own reader.
struct ReportSheet: Sendable {
  let header: [String]
  let lines: [[String]]

  /// - Parameter leading: Number of lines above the header.
  init(_ text: String?, leading: Int = 0) {
    let all = (text ?? "").split(separator: "\n").dropFirst(leading).map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    (header, lines) = (all.first ?? [], Array(all.dropFirst()))
  }

  func column(_ name: String) -> [String] {
    guard let place = header.firstIndex(of: name) else { return [] }
    return lines.map { $0[place] }
  }

  var rows: [[String: String]] {
    lines.map { Dictionary(zip(header, $0)) { first, _ in first } }
  }
}

extension [String: String] {
  func text(_ name: String) -> String { self[name] ?? "?" }
  func number(_ name: String) -> Int { Int(text(name)) ?? .min }

  /// Value of a column with two decimals, in hundredths.
  func cents(_ name: String) -> Int {
    let digits = text(name).filter { $0 != "." }
    return Int(digits) ?? .min
  }
}

/// Small population, and the days whose reports are tested.
enum ReportTown {
  static let population = FakePopulation(subscribers: 900, seed: 3, founded: Town.now)
  static let days = day("2026-03-29")...day("2026-06-14")
  static let reports = FakeReports(of: population, days: days)
  static let kinds: [AppleReportKind] = [.sales, .subscription, .events, .subscriber]

  static func day(_ text: String) -> CivilDate { CivilDate(parsing: text) ?? CivilDate(daysSince1970: 0) }

  static func number(_ text: String) -> Int { day(text).daysSince1970 }

  /// `2026-02-18` for `02/18/2026`.
  static func dashed(_ text: String) -> String {
    "\(text.suffix(4))-\(text.prefix(2))-\(text.dropFirst(3).prefix(2))"
  }

  static func sheet(_ kind: AppleReportKind, _ day: CivilDate) -> ReportSheet {
    ReportSheet(reports.text(kind, on: day))
  }

  static func each(_ range: ClosedRange<CivilDate>) -> [CivilDate] {
    (range.lowerBound.daysSince1970...range.upperBound.daysSince1970).map(CivilDate.init(daysSince1970:))
  }

  static func rows(_ kind: AppleReportKind, _ range: ClosedRange<CivilDate> = days) -> [[String: String]] {
    each(range).flatMap { sheet(kind, $0).rows }
  }
}
