/// Day of the proleptic Gregorian calendar.
///
/// Foundation is not used, because its formatters are slow and misbehave on Linux.
public struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let year: Int
  public let month: Int
  public let day: Int

  public init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), (-9999...9999).contains(year), day >= 1,
      day <= Self.days(inMonth: month, of: year)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Creates a date by Howard Hinnant's `civil_from_days`.
  public init(daysSince1970 days: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  public var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Day of the week; 0 is Sunday.
  public var weekday: Int { ((daysSince1970 + 4) % 7 + 7) % 7 }

  var monday: CivilDate { CivilDate(daysSince1970: daysSince1970 - (weekday + 6) % 7) }

  /// Returns the same day `months` later, or the last day of a month that lacks the day.
  public func adding(months: Int) -> CivilDate {
    let index = year * 12 + (month - 1) + months
    let newYear = index >= 0 ? index / 12 : (index - 11) / 12
    let newMonth = index - newYear * 12 + 1
    let newDay = min(day, Self.days(inMonth: newMonth, of: newYear))
    return CivilDate(year: newYear, month: newMonth, day: newDay) ?? self
  }

  public static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  public var description: String { Instant(startOf: self).dateText }
}

extension Instant {
  public var civilDate: CivilDate { CivilDate(daysSince1970: Int(daysAndMilliseconds.days)) }

  public var millisecondOfDay: Int64 { daysAndMilliseconds.rest }

  public init(startOf date: CivilDate) {
    self.init(milliseconds: Int64(date.daysSince1970) * Milliseconds.day)
  }

  private var daysAndMilliseconds: (days: Int64, rest: Int64) {
    let (quotient, remainder) = rawValue.quotientAndRemainder(dividingBy: Milliseconds.day)
    return remainder < 0 ? (quotient - 1, remainder + Milliseconds.day) : (quotient, remainder)
  }
}

/// Month of the proleptic Gregorian calendar; the month of an instant is in UTC.
public struct CivilMonth: Hashable, Comparable, Sendable, CustomStringConvertible, Encodable {
  /// Months since January of the year 0.
  public let index: Int

  public init(index: Int) { self.index = index }

  public init(of date: CivilDate) { index = date.year * 12 + date.month - 1 }

  public init(of instant: Instant) { self.init(of: instant.civilDate) }

  public var year: Int { index >= 0 ? index / 12 : (index - 11) / 12 }
  public var month: Int { index - year * 12 + 1 }

  public func adding(months: Int) -> CivilMonth { CivilMonth(index: index + months) }

  public static func < (left: Self, right: Self) -> Bool { left.index < right.index }

  public var description: String { "\(padded(Int64(year), to: 4))-\(padded(Int64(month), to: 2))" }

  public init?(parsing text: String) {
    guard let date = CivilDate(parsing: text + "-01") else { return nil }
    self.init(of: date)
    // Refuses signs and single digits.
    guard description == text else { return nil }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// Time zone as a list of offsets from UTC, for displayed times and for the figures of calendar periods.
public struct Zone: Hashable, Sendable {
  /// Offset from UTC that applies from an instant on.
  public struct Stretch: Hashable, Sendable {
    public var from: Instant
    /// Milliseconds ahead of UTC.
    public var offset: Int64
    public var abbreviation: String

    public init(from: Instant, offset: Int64, abbreviation: String) {
      (self.from, self.offset, self.abbreviation) = (from, offset, abbreviation)
    }
  }

  /// Name in the tz database, such as `Europe/Berlin`.
  public let name: String
  private let stretches: [Stretch]

  /// - Parameter stretches: Offsets in order of time; the first also applies before its start.
  public init(name: String, _ stretches: [Stretch]) { (self.name, self.stretches) = (name, stretches) }

  public static let utc = Zone(name: "UTC", [Stretch(from: .distantPast, offset: 0, abbreviation: "UTC")])

  public var isUTC: Bool { stretches.allSatisfy { $0.offset == 0 } }

  private func stretch(at instant: Instant) -> Stretch? {
    stretches.last { $0.from <= instant } ?? stretches.first
  }

  func local(_ instant: Instant) -> Instant { instant + (stretch(at: instant)?.offset ?? 0) }

  /// Returns the first instant at which clocks show `local` or, if they skip that time, the end of the gap.
  func instant(local: Instant) -> Instant {
    for (place, stretch) in stretches.enumerated() {
      let instant = max(place == 0 ? .distantPast : stretch.from, local - stretch.offset)
      if place + 1 == stretches.count || instant < stretches[place + 1].from { return instant }
    }
    return local
  }

  /// Returns the same local day and time in another month, or the end of that month if it lacks the day.
  func adding(months: Int, to instant: Instant) -> Instant {
    let date = local(instant).civilDate
    let month = CivilMonth(of: date).adding(months: months)
    guard date.day <= CivilDate.days(inMonth: month.month, of: month.year) else {
      return self.instant(local: month.adding(months: 1).start)
    }
    // Daylight saving may skip midnight, so the first instant of a day may be later.
    let isMidnight = instant == self.instant(local: Instant(startOf: date))
    return self.instant(
      local: Instant(startOf: date.adding(months: months))
        + (isMidnight ? 0 : local(instant).millisecondOfDay))
  }

  public func date(_ instant: Instant) -> String { local(instant).dateText }

  public func minute(_ instant: Instant) -> String { local(instant).minuteText }

  /// Time of day such as `09:05`, without seconds.
  public func clock(_ instant: Instant) -> String { String(local(instant).clockText.prefix(5)) }

  public func abbreviation(at instant: Instant) -> String { stretch(at: instant)?.abbreviation ?? name }
}
