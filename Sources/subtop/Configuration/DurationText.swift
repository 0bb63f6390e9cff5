import Subscriptions

/// Durations as text: `90s`, `30m`, `6h`, `7d`, `2w`, with a minus sign for the past.
enum DurationText {
  private static let units: [Character: Int64] = [
    "s": Milliseconds.second, "m": Milliseconds.minute, "h": Milliseconds.hour, "d": Milliseconds.day,
    "w": 7 * Milliseconds.day,
  ]

  /// In the largest unit that it is a whole number of; what is less than a second is dropped.
  static func of(_ milliseconds: Int64) -> String {
    let unit = units.filter { milliseconds % $0.value == 0 && $0.key != "w" }.max { $0.value < $1.value }
    guard let unit, milliseconds != 0 else { return "\(milliseconds / Milliseconds.second)s" }
    return "\(milliseconds / unit.value)\(unit.key)"
  }

  /// Returns `nil` if the text is no duration, or longer than a hundred years.
  static func milliseconds(_ text: String) -> Int64? {
    guard let last = text.last, let unit = units[last], let number = Int64(text.dropLast()) else {
      return nil
    }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit)
    return overflow || abs(product) > 36_500 * Milliseconds.day ? nil : product
  }
}
