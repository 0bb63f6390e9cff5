/// Window as named by a user.
public enum WindowChoice: Hashable, Sendable {
  case days(Int)
  /// Everything since the first purchase.
  case all
  /// Current month, quarter or year to date.
  case current(CalendarUnit)
  /// Whole month, quarter or year before the current one.
  case last(CalendarUnit)
  case period(CalendarPeriod)

  /// Valid numbers of days, up to about a hundred years.
  public static let days = 1...36_500

  /// Parses `28`, `28d`, `all`, `month`, `last-month`, `2026-09`, `2026-Q3` or `2026`.
  ///
  /// `quarter` and `year` are accepted like `month`. The result is `nil` for other text.
  public init?(parsing text: String) {
    let named = [.all] + CalendarUnit.allCases.flatMap { [WindowChoice.current($0), .last($0)] }
    if let choice = named.first(where: { $0.text == text }) {
      self = choice
    } else if let period = CalendarPeriod(parsing: text) {
      self = .period(period)
    } else if let days = Int(text.hasSuffix("d") ? text.dropLast() : text[...]), Self.days.contains(days) {
      self = .days(days)
    } else {
      return nil
    }
  }

  public var text: String {
    switch self {
    case .days(let days): CalendarPeriod(parsing: "\(days)") == nil ? "\(days)" : "\(days)d"
    case .all: "all"
    case .current(let unit): unit.rawValue
    case .last(let unit): "last-\(unit.rawValue)"
    case .period(let period): "\(period)"
    }
  }

  public func hasBegun(at t: Instant, in zone: Zone) -> Bool {
    if case .period(let period) = self { period.start(in: zone) <= t } else { true }
  }

  /// Returns the question with this window.
  ///
  /// A past period is asked as of its end, with everything known now; a future one becomes the current one.
  ///
  /// - Parameter firstPurchase: First purchase of any subscription; if `nil`, `all` covers ten years.
  public func asked(_ question: Question, in zone: Zone, since firstPurchase: Instant?) -> Question {
    var asked = question
    switch self {
    case .days(let days): asked.length = .days(days)
    case .all:
      let days = firstPurchase.map { Window.days(since: $0, upTo: question.at) } ?? 3650
      asked.length = .days(min(days, Self.days.upperBound))
    case .current(let unit): asked.length = .calendar(unit, zone)
    case .last(let unit):
      asked.length = .calendar(unit, zone)
      asked.lookBack(to: asked.window.from)
    case .period(let period):
      asked.length = .calendar(period.unit, zone)
      if period.end(in: zone) < question.at { asked.lookBack(to: period.end(in: zone)) }
    }
    return asked
  }
}
