import Screen

/// Percentages: `97.1 %`.
public enum PercentText {
  public static func of(_ share: Double?, unknown: String = "unknown") -> String {
    guard let share, share.isFinite, share.magnitude < 1e12 else { return unknown }
    let tenths = Int64((share * 1000).rounded(.toNearestOrEven))
    return "\(tenths < 0 ? "-" : "")\(CountText.of(tenths.magnitude / 10)).\(tenths.magnitude % 10) %"
  }

  /// Percentage with a decimal below ten only: `2.4 %`, `12 %`.
  static func short(_ share: Double) -> String {
    share < 0.0995 ? of(share) : share < 1e9 ? "\(CountText.rounding(share * 100)) %" : "unknown"
  }

  /// Share of a part in a whole; `unknown` if the whole is zero.
  public static func of(_ part: Int, in whole: Int, unknown: String = "unknown") -> String {
    of(share(part, in: whole), unknown: unknown)
  }

  static func share(_ part: Int, in whole: Int) -> Double? {
    whole == 0 ? nil : Double(part) / Double(whole)
  }
}

extension StyledText {
  /// Share of a part in a whole; dimmed if the whole is zero.
  static func share(
    _ part: Int, of whole: Int, _ style: Style = .strong, unknown: String = "unknown"
  ) -> StyledText {
    StyledText(PercentText.of(part, in: whole, unknown: unknown), whole == 0 ? .dim : style)
  }
}
