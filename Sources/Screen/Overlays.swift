/// Frame with a title in its upper edge and a note in its lower edge.
public struct Box: Sendable {
  public var title: StyledText
  public var note: StyledText
  public var isFocused: Bool

  public init(_ title: StyledText = "", note: StyledText = "", isFocused: Bool = false) {
    (self.title, self.note, self.isFocused) = (title, note, isFocused)
  }

  /// Number of blanks around a title or note, one on each side; they are omitted if there is no room.
  public static let padding = 2

  /// Draws the frame and returns the cleared area inside it, which is empty if `rect` is smaller than 3×3.
  @discardableResult
  public func draw(on canvas: inout Canvas, in rect: Rect) -> Rect {
    let style: Style = isFocused ? .accent : .border
    canvas.fill(rect)
    canvas.frame(rect, style)
    put(title, on: &canvas, rect, row: rect.row, align: .left)
    put(note, on: &canvas, rect, row: rect.endRow - 1, align: .right)
    return rect.inset(columns: 1, rows: 1)
  }

  private func put(_ line: StyledText, on canvas: inout Canvas, _ rect: Rect, row: Int, align: Alignment) {
    let room = rect.columns - 4
    let width = line.width(in: canvas.glyphs)
    guard width > 0, room >= 3, rect.rows >= 2 else { return }
    let padded: StyledText = [" "] + line + [" "]
    if width + Self.padding <= room {
      canvas.put(padded, column: rect.column + 2, row: row, width: room, align: align)
    } else {
      canvas.put(line, column: rect.column + 2, row: row, width: room)
    }
  }
}

/// Short message at the lower right of the screen; the caller decides how long it is shown.
public struct Toast: Hashable, Sendable {
  /// Severity of the message, which determines its style and mark.
  public enum Level: Hashable, Sendable {
    case info, good, warn, bad
  }

  public var text: String
  public var level: Level

  public init(_ text: String, _ level: Level = .info) {
    (self.text, self.level) = (text, level)
  }

  public func draw(on canvas: inout Canvas, in rect: Rect) {
    guard rect.rows > 0 else { return }
    // The mark shows the level even without colours.
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
