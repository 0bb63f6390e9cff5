import Screen

extension Toast {
  /// The level in a sign and a word, for those who see no colours.
  func mark(in glyphs: GlyphSet) -> String { "\(level.mark(in: glyphs)) \(level.word)" }
}

extension Toast.Level {
  var word: String {
    switch self {
    case .info: "Note"
    case .good: "Done"
    case .warn: "Warning"
    case .bad: "Failed"
    }
  }
}
