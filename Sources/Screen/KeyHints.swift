/// One key and what it does here.
public struct KeyHint: Hashable, Sendable {
  public var key: String
  public var action: String

  public init(_ key: String, _ action: String) {
    self.key = key
    self.action = action
  }
}

/// The line of keys at the foot of the screen.
public struct KeyHints: Sendable {
  /// The most useful first; whole hints are left out from the end where there is no room, save the last one,
  /// which is the way to the others.
  public var hints: [KeyHint]

  public init(_ hints: [KeyHint]) { self.hints = hints }

  public func draw(on canvas: inout Canvas, in rect: Rect) {
    let line = line(fitting: rect.columns, in: canvas.glyphs)
    canvas.within(rect) { $0.put(line, column: 0, row: 0) }
  }

  /// The hints that fit into so many columns.
  public func line(fitting columns: Int, in glyphs: GlyphSet = .unicode) -> StyledText {
    shown(fitting: columns, in: glyphs).reduce(StyledText([])) { line, hint in
      (line.spans.isEmpty ? line : line + "  ") + Self.line(for: hint)
    }
  }

  /// The one that is drawn over a column of the line.
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
