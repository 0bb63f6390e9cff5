public enum CalendarUnit: String, Hashable, Sendable, CaseIterable {
  case month, quarter, year

  var months: Int {
    switch self {
    case .month: 1
    case .quarter: 3
    case .year: 12
    }
  }
}

/// Month, quarter or year of the calendar, in any zone.
public struct CalendarPeriod: Hashable, Sendable, CustomStringConvertible {
  public let unit: CalendarUnit
  private let first: CivilMonth

  init(_ unit: CalendarUnit, containing date: CivilDate) {
    self.unit = unit
    let month = CivilMonth(of: date)
    first = month.adding(months: -((month.month - 1) % unit.months))
  }

  var next: CalendarPeriod { CalendarPeriod(unit, first.adding(months: unit.months)) }

  private init(_ unit: CalendarUnit, _ first: CivilMonth) { (self.unit, self.first) = (unit, first) }

  package func start(in zone: Zone) -> Instant { zone.instant(local: first.start) }

  package func end(in zone: Zone) -> Instant { next.start(in: zone) - 1 }

  /// Text such as `2026-09`, `2026-Q3` or `2026`.
  public var description: String {
    switch unit {
    case .month: first.description
    case .quarter: "\(first.year)-Q\(first.month / 3 + 1)"
    case .year: "\(first.year)"
    }
  }

  /// Parses the text of `description`; `nil` for other text, and for years outside `years`.
  public init?(parsing text: String) {
    let (year, rest) = (String(text.prefix(4)), text.dropFirst(4).uppercased())
    let quarters = ["-Q1": "-01", "-Q2": "-04", "-Q3": "-07", "-Q4": "-10", "": "-01"]
    guard let first = CivilMonth(parsing: year + (quarters[rest] ?? rest)), Self.years.contains(first.year)
    else { return nil }
    self.init(rest.isEmpty ? .year : quarters[rest] == nil ? .month : .quarter, first)
  }

  /// Years of the App Store; `WindowChoice` reads other numbers as days.
  private static let years = 2008...2099
}
