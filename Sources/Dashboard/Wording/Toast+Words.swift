import Screen

extension Toast {
  /// Sign and word of the level, which do not depend on color.
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
