import Screen

/// Whole numbers with grouped digits: `28,192`.
public enum CountText {
  public static func of(_ number: some BinaryInteger) -> String { number.grouped }

  /// Nearest whole number, or `unknown` if it is not finite or too large.
  static func rounding(_ number: Double) -> String {
    guard number.isFinite, number.magnitude < 1e15 else { return "unknown" }
    return of(Int64(number.rounded()))
  }

  /// Frequency, with one decimal below one, so that a rare event is not shown as 0.
  static func rate(_ number: Double) -> String {
    guard number > 0, number < 0.95 else { return rounding(number) }
    return number < 0.05 ? "under 0.1" : "0.\(Int((number * 10).rounded()))"
  }

  /// `1 line`, `2 lines`.
  public static func of(_ number: some BinaryInteger, _ singular: String, _ plural: String? = nil) -> String {
    "\(of(number)) \(number == 1 ? singular : plural ?? singular + "s")"
  }

  /// Numbers padded to the same width.
  static func aligned(_ numbers: [Int]) -> [String] { aligned(numbers.map { of($0) }) }

  static func aligned(_ texts: [String]) -> [String] {
    let width = texts.map(\.count).max() ?? 0
    return texts.map { String(repeating: " ", count: width - $0.count) + $0 }
  }
}

extension StyledText {
  /// Name followed by a number, which has the style if it is positive.
  static func part(_ name: String, _ number: Int, _ style: Style) -> StyledText {
    [TextSpan("\(name) ", .dim), TextSpan(CountText.of(number), number > 0 ? style : .text)]
  }

  static func dash(in glyphs: GlyphSet) -> StyledText { StyledText(glyphs.dash, .dim) }
}
