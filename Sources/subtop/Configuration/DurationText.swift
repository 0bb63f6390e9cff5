import Subscriptions

/// Text of a duration: `90s`, `30m`, `6h`, `7d` or `2w`, negative for the past.
enum DurationText {
  private static let units: [Character: Int64] = [
    "s": Milliseconds.second, "m": Milliseconds.minute, "h": Milliseconds.hour, "d": Milliseconds.day,
    "w": 7 * Milliseconds.day,
  ]

  /// Formats a duration in the largest unit that divides it, except weeks; fractions of a second are dropped.
  static func of(_ milliseconds: Int64) -> String {
    let unit = units.filter { milliseconds % $0.value == 0 && $0.key != "w" }.max { $0.value < $1.value }
    guard let unit, milliseconds != 0 else { return "\(milliseconds / Milliseconds.second)s" }
    return "\(milliseconds / unit.value)\(unit.key)"
  }

  /// Parses a duration; `nil` if the text is malformed or the duration exceeds a hundred years.
  static func milliseconds(_ text: String) -> Int64? {
    guard let last = text.last, let unit = units[last], let number = Int64(text.dropLast()) else {
      return nil
    }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit)
    return overflow || abs(product) > 36_500 * Milliseconds.day ? nil : product
  }
}
