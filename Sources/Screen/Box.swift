/// A frame with a title in its upper edge and a note in its lower one.
public struct Box: Sendable {
  public var title: StyledText
  public var note: StyledText
  /// Whether keys go to this box. Its frame is highlighted.
  public var isFocused: Bool

  public init(_ title: StyledText = "", note: StyledText = "", isFocused: Bool = false) {
    self.title = title
    self.note = note
    self.isFocused = isFocused
  }

  /// Columns of the blanks around a title or note, which are omitted if there is no room.
  public static let padding = 2

  /// Draws the frame and clears the inside.
  ///
  /// - Returns: the inside of the frame; empty if the rectangle is smaller than 3×3.
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
