import Screen

extension Toast {
  /// The level in a sign and a word, for those who see no colours.
  func mark(in glyphs: GlyphSet) -> String {
    let sign =
      switch level {
      case .info: glyphs.bullet
      case .good: glyphs.tick
      case .warn: glyphs.warning
      case .bad: glyphs.cross
      }
    return "\(sign) \(level.word)"
  }
}

extension Toast.Level {
  var word: String {
    switch self {
    case .info: "Note"
    case .good: "Done"
    case .warn: "Mind"
    case .bad: "Failed"
    }
  }

  var style: Style {
    switch self {
    case .info: .info
    case .good: .good
    case .warn: .warn
    case .bad: .bad
    }
  }
}
