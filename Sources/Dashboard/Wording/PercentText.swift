import Screen

/// Shares for people: `97.1 %`, or a dash where nothing is known.
public enum PercentText {
  public static func of(_ share: Double?, unknown: String = "unknown") -> String {
    guard let share, share.isFinite, share.magnitude < 1e12 else { return unknown }
    let tenths = Int64((share * 1000).rounded(.toNearestOrEven))
    return "\(tenths < 0 ? "-" : "")\(CountText.of(tenths.magnitude / 10)).\(tenths.magnitude % 10) %"
  }

  /// For what is not looked at to the tenth from ten on: `2.4 %`, `12 %`.
  static func short(_ share: Double) -> String {
    share < 0.0995 ? of(share) : share < 1e9 ? "\(CountText.rounding(share * 100)) %" : "unknown"
  }

  /// A part of a whole, counted; nothing is a share of nothing.
  public static func of(_ part: Int, in whole: Int, unknown: String = "unknown") -> String {
    of(share(part, in: whole), unknown: unknown)
  }

  static func share(_ part: Int, in whole: Int) -> Double? {
    whole == 0 ? nil : Double(part) / Double(whole)
  }
}

extension StyledText {
  /// A part of a whole, counted; in the background where there is no whole.
  static func share(
    _ part: Int, of whole: Int, _ style: Style = .strong, unknown: String = "unknown"
  ) -> StyledText {
    StyledText(PercentText.of(part, in: whole, unknown: unknown), whole == 0 ? .dim : style)
  }
}
