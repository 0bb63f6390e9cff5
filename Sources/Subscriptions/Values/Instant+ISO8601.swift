extension Instant {
  /// `2026-11-21T09:05:00Z`, with milliseconds only if they are not 0.
  public var iso8601: String {
    let rest = millisecondOfDay
    let fraction = rest % Milliseconds.second
    let text = "\(dateText)T\(Self.clock(rest))"
    return fraction == 0 ? text + "Z" : text + "." + padded(fraction, to: 3) + "Z"
  }

  /// `2026-11-21`, in UTC.
  public var dateText: String {
    let date = civilDate
    return
      "\(padded(Int64(date.year), to: 4))-\(padded(Int64(date.month), to: 2))-\(padded(Int64(date.day), to: 2))"
  }

  public var minuteText: String { "\(dateText) \(Self.clock(millisecondOfDay).prefix(5))" }

  /// `09:05:00`, in UTC.
  public var clockText: String { Self.clock(millisecondOfDay) }

  private static func clock(_ millisecondOfDay: Int64) -> String {
    let seconds = millisecondOfDay / Milliseconds.second
    return
      "\(padded(seconds / 3600, to: 2)):\(padded(seconds / 60 % 60, to: 2)):\(padded(seconds % 60, to: 2))"
  }

  /// Parses `2026-11-21`, `2026-11-21T09:05:00.250+02:00` (UTC by default) or milliseconds since 1970.
  public init?(parsing text: String) {
    // Four digits are a year rather than milliseconds.
    if let milliseconds = Int64(text), text.count != 4 {
      self.init(milliseconds: milliseconds)
      return
    }
    let halves = text.split(whereSeparator: { $0 == "T" || $0 == " " })
    guard (1...2).contains(halves.count), let date = CivilDate(parsing: halves[0]) else { return nil }
    guard halves.count == 2 else {
      self.init(startOf: date)
      return
    }
    guard let time = Self.millisecondsOfClock(halves[1]) else { return nil }
    self = Instant(startOf: date) + time
  }

  /// Parses a time of day as milliseconds from the start of the UTC day, negative with some offsets.
  private static func millisecondsOfClock(_ text: Substring) -> Int64? {
    var clock = text
    var offset: Int64 = 0
    if clock.last == "Z" {
      clock.removeLast()
    } else if let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      let zone = clock[clock.index(after: sign)...].filter { $0 != ":" }
      guard zone.count == 4, let digits = Int64(zone), digits / 100 < 24, digits % 100 < 60
      else { return nil }
      offset = (digits / 100 * 60 + digits % 100) * Milliseconds.minute * (clock[sign] == "-" ? -1 : 1)
      clock = clock[..<sign]
    }
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hour = Int64(parts[0]), let minute = Int64(parts[1]),
      (0...24).contains(hour), (0..<60).contains(minute)
    else { return nil }
    guard let seconds = parts.count == 3 ? millisecondsOfSeconds(parts[2]) : 0 else { return nil }
    // 24:00 is the end of the day.
    guard hour < 24 || (minute == 0 && seconds == 0) else { return nil }
    return hour * Milliseconds.hour + minute * Milliseconds.minute + seconds - offset
  }

  private static func millisecondsOfSeconds(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let second = Int64(parts[0]), (0...60).contains(second), parts.count <= 2 else { return nil }
    guard parts.count == 2 else { return second * Milliseconds.second }
    let digits = (parts[1] + "00").prefix(3)
    guard let fraction = Int64(digits), fraction >= 0 else { return nil }
    return second * Milliseconds.second + fraction
  }
}

extension CivilDate {
  public init?(parsing text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count == 4, let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

func padded(_ number: Int64, to width: Int) -> String {
  let digits = String(number.magnitude)
  let zeros = String(repeating: "0", count: max(0, width - digits.count))
  return (number < 0 ? "-" : "") + zeros + digits
}
