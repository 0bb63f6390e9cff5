public struct KeyHint: Hashable, Sendable {
  public var key: String
  public var action: String

  public init(_ key: String, _ action: String) {
    self.key = key
    self.action = action
  }
}

public struct KeyHints: Sendable {
  /// The most useful first. In a narrow room hints are omitted, but never the last, which leads to the
  /// others.
  public var hints: [KeyHint]

  public init(_ hints: [KeyHint]) { self.hints = hints }

  public func draw(on canvas: inout Canvas, in rect: Rect) {
    let line = line(fitting: rect.columns, in: canvas.glyphs)
    canvas.within(rect) { $0.put(line, column: 0, row: 0) }
  }

  /// Returns the line of hints that fit into a number of columns.
  public func line(fitting columns: Int, in glyphs: GlyphSet = .unicode) -> StyledText {
    shown(fitting: columns, in: glyphs).reduce(StyledText([])) { line, hint in
      (line.spans.isEmpty ? line : line + "  ") + Self.line(for: hint)
    }
  }

  public func hint(at column: Int, fitting columns: Int, in glyphs: GlyphSet = .unicode) -> KeyHint? {
    var start = 0
    for hint in shown(fitting: columns, in: glyphs) {
      let end = start + Self.line(for: hint).width(in: glyphs)
      if (start..<min(end, columns)).contains(column) { return hint }
      start = end + 2
    }
    return nil
  }

  private func shown(fitting columns: Int, in glyphs: GlyphSet) -> [KeyHint] {
    guard let last = hints.last else { return [] }
    var shown: [KeyHint] = []
    var used = Self.line(for: last).width(in: glyphs)
    for hint in hints.dropLast() {
      used += Self.line(for: hint).width(in: glyphs) + 2
      guard used <= columns else { break }
      shown.append(hint)
    }
    return shown + [last]
  }

  private static func line(for hint: KeyHint) -> StyledText {
    [TextSpan(hint.key, .key), TextSpan(" " + hint.action, .dim)]
  }
}
