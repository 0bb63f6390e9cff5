/// Input line with a cursor.
public struct Prompt: Hashable, Sendable {
  /// Effect of a key on the line.
  public enum Outcome: Hashable, Sendable {
    case edited, moved, submitted, cancelled, ignored
  }

  /// Text before the input, such as `/`.
  public var label: String
  /// Maximum size of the text in bytes, because each key processes the whole text; further input is ignored.
  public static let limit = 1024

  // Two strings instead of an index, because typing a combining mark merges characters and shifts the index.
  private var before: String
  private var after: String

  public init(label: String, text: String = "") {
    self.label = label
    before = text
    after = ""
  }

  public var text: String { before + after }

  public var cursor: Int { before.count }

  /// Draws label, text and cursor on the first row, scrolled so that the cursor is visible.
  public func draw(on canvas: inout Canvas, in rect: Rect) {
    canvas.within(rect) { canvas in
      let glyphs = canvas.glyphs
      let labelRoom = min(TextWidth.of(label, in: glyphs), max(0, canvas.bounds.columns - 4))
      canvas.put(label, column: 0, row: 0, .key, width: labelRoom)
      let room = canvas.bounds.columns - labelRoom
      // Takes more characters than there are columns, because some have no width.
      var shown = String(before.suffix(4 * max(room, 1)))
      var isCut = shown.utf8.count < before.utf8.count
      while !shown.isEmpty, TextWidth.of(shown, in: glyphs) + (isCut ? 1 : 0) >= room {
        shown.removeFirst()
        isCut = true
      }
      let left = isCut ? glyphs.ellipsis + shown : shown
      let width = TextWidth.of(left, in: glyphs)
      canvas.put(left + after, column: labelRoom, row: 0, .text, width: room)
      canvas.showCursor(at: Point(column: labelRoom + min(width, max(0, room - 1)), row: 0))
    }
  }

  /// Handles a key as readline does, and returns its effect.
  public mutating func press(_ key: Key) -> Outcome {
    switch key {
    case .enter: return .submitted
    case .escape, .control("c"), .control("g"): return .cancelled
    case .left, .control("b"), .right, .control("f"), .home, .control("a"), .end, .control("e"):
      move(key)
      return .moved
    case .character(let character):
      guard before.utf8.count + after.utf8.count + character.utf8.count <= Self.limit else { return .moved }
      before.append(character)
      return .edited
    default: return erase(key) ? .edited : .ignored
    }
  }

  /// Inserts pasted text at the cursor as one line, with U+FFFD for characters that could control a terminal.
  public mutating func paste(_ text: String) {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").harmless
    for character in words { if press(.character(character)) != .edited { return } }
  }

  private mutating func move(_ key: Key) {
    switch key {
    case .left, .control("b"): if let last = before.popLast() { after = String(last) + after }
    case .right, .control("f"): if !after.isEmpty { before.append(after.removeFirst()) }
    case .home, .control("a"): (before, after) = ("", before + after)
    default: (before, after) = (before + after, "")
    }
  }

  private mutating func erase(_ key: Key) -> Bool {
    switch key {
    case .backspace: _ = before.popLast()
    case .delete, .control("d"): if !after.isEmpty { after.removeFirst() }
    case .control("u"): before = ""
    case .control("k"): after = ""
    case .control("w"):
      while before.last == " " { before.removeLast() }
      while let last = before.last, last != " " { before.removeLast() }
    default: return false
    }
    return true
  }
}
