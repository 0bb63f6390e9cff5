import Screen

/// How much more or less something is than it was, without its sign: `2.4 %`, `12 %`, or `14×` where that says more.
enum ChangeText {
  /// - Parameter share: of what it was.
  static func of(_ share: Double, in glyphs: GlyphSet) -> String {
    share < 9.995
      ? PercentText.short(share.magnitude) : "\(CountText.rounding(share + 1))\(glyphs.isASCII ? "x" : "×")"
  }

  /// Whether the text reads as nothing, though there was a change.
  static func isNothing(_ text: String) -> Bool { text.hasPrefix("0.0") }
}
