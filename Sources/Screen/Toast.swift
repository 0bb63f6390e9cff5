/// A short message at the lower right of the screen. The state decides how long it is shown.
public struct Toast: Hashable, Sendable {
  public enum Level: Hashable, Sendable {
    case info
    case good
    case warn
    case bad
  }

  public var text: String
  public var level: Level

  public init(_ text: String, _ level: Level = .info) {
    self.text = text
    self.level = level
  }

  public func draw(on canvas: inout Canvas, in rect: Rect) {
    guard rect.rows > 0 else { return }
    // The mark shows the level without colours.
    canvas.put(
      " \(level.mark(in: canvas.glyphs)) \(text) ", column: rect.column, row: rect.endRow - 1,
      level.style.adding(.reverse),
      width: rect.columns, align: .right)
  }
}

extension Toast.Level {
  public func mark(in glyphs: GlyphSet) -> String {
    switch self {
    case .info: glyphs.bullet
    case .good: glyphs.tick
    case .warn: glyphs.warning
    case .bad: glyphs.cross
    }
  }

  public var style: Style {
    switch self {
    case .info: .info
    case .good: .good
    case .warn: .warn
    case .bad: .bad
    }
  }
}
