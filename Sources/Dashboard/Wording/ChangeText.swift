import Screen

/// Relative changes without sign: `2.4 %`, `12 %`, or `14×` for large ones.
enum ChangeText {
  /// - Parameter share: Change divided by the earlier value.
  static func of(_ share: Double, in glyphs: GlyphSet) -> String {
    share < 9.995
      ? PercentText.short(share.magnitude) : "\(CountText.rounding(share + 1))\(glyphs.isASCII ? "x" : "×")"
  }

  static func isNothing(_ text: String) -> Bool { text.hasPrefix("0.0") }
}
