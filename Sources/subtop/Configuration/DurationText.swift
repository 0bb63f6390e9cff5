import Subscriptions

/// Spans of time as people write them: `90s`, `30m`, `6h`, `7d`, `2w`, with a minus sign before what lies back.
enum DurationText {
  private static let units: [Character: Int64] = [
    "s": Milliseconds.second, "m": Milliseconds.minute, "h": Milliseconds.hour, "d": Milliseconds.day,
    "w": 7 * Milliseconds.day,
  ]

  /// Nil where the text is no span, or one beyond a hundred years.
  static func milliseconds(_ text: String) -> Int64? {
    guard let last = text.last, let unit = units[last], let number = Int64(text.dropLast()) else {
      return nil
    }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit)
    return overflow || abs(product) > 36_500 * Milliseconds.day ? nil : product
  }
}
