/// Key that a terminal can report, including some keys with Ctrl.
public enum Key: Hashable, Sendable {
  case character(Character)
  /// Ctrl with a lower-case letter; Ctrl-I is `tab`, Ctrl-J and Ctrl-M are `enter`, Ctrl-H is `backspace`.
  case control(Character)
  case function(Int)
  case up, down, left, right, home, end, pageUp, pageDown
  case controlUp, controlDown, controlLeft, controlRight
  case enter, escape, tab, backTab, backspace, delete, insert, unknown

  private static let names: [Key: String] = [
    .character(" "): "Space", .up: "Up", .down: "Down", .left: "Left", .right: "Right", .home: "Home",
    .end: "End", .pageUp: "PgUp", .pageDown: "PgDn", .enter: "Enter", .escape: "Esc", .tab: "Tab",
    .controlUp: "^Up", .controlDown: "^Down", .controlLeft: "^Left", .controlRight: "^Right",
    .backTab: "S-Tab", .backspace: "Bksp", .delete: "Del", .insert: "Ins",
  ]

  public init?(named name: String) {
    if let key = Self.names.first(where: { $0.value.lowercased() == name.lowercased() })?.key {
      self = key
    } else if name.count == 2, name.hasPrefix("^"), let letter = name.lowercased().last, letter.isASCII,
      letter.isLetter
    {
      switch letter {
      case "i": self = .tab
      case "j", "m": self = .enter
      case "h": self = .backspace
      default: self = .control(letter)
      }
    } else if name.first?.uppercased() == "F", let number = Int(name.dropFirst()), (1...24).contains(number) {
      self = .function(number)
    } else if name.count == 1, let character = name.first {
      self = .character(character)
    } else {
      return nil
    }
  }

  /// Name of the key in help: `^R`, `F1`, `PgUp`.
  public var name: String {
    switch self {
    case .character(let character): Self.names[self] ?? String(character)
    case .control(let letter): "^" + letter.uppercased()
    case .function(let number): "F\(number)"
    default: Self.names[self] ?? "?"
    }
  }
}

/// Input from the terminal.
public enum InputEvent: Hashable, Sendable {
  case key(Key)
  case mouse(Mouse)
  /// Pasted text, whose characters are never treated as keys.
  case paste(String)
  /// Size of the terminal, sent when it has changed and when the screen must be redrawn.
  case resize(Size)
}

/// Press of a mouse button or turn of the wheel, with its position.
public struct Mouse: Hashable, Sendable {
  public enum Action: Hashable, Sendable {
    case left, middle, right, wheelUp, wheelDown
  }

  public var action: Action
  public var at: Point

  public init(_ action: Action, at place: Point) {
    self.action = action
    at = place
  }
}

/// Key and its action, as shown in the hint line.
public struct KeyHint: Hashable, Sendable {
  public var key: String
  public var action: String

  public init(_ key: String, _ action: String) {
    (self.key, self.action) = (key, action)
  }
}

/// Line of key hints at the bottom of the screen.
public struct KeyHints: Sendable {
  /// Hints, most useful first; a narrow area drops the last two (back, and all keys) only after the others.
  public var hints: [KeyHint]

  public init(_ hints: [KeyHint]) { self.hints = hints }

  public func draw(on canvas: inout Canvas, in rect: Rect) {
    let line = line(fitting: rect.columns, in: canvas.glyphs)
    canvas.within(rect) { $0.put(line, column: 0, row: 0) }
  }

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
    var (kept, used): (Set<Int>, Int) = ([], 0)
    for place in hints.indices.suffix(2).reversed() + hints.indices.dropLast(2) {
      let more = Self.line(for: hints[place]).width(in: glyphs) + (kept.isEmpty ? 0 : 2)
      guard kept.isEmpty || used + more <= columns else { continue }
      used += more
      kept.insert(place)
    }
    return hints.indices.filter(kept.contains).map { hints[$0] }
  }

  private static func line(for hint: KeyHint) -> StyledText {
    [TextSpan(hint.key, .key), TextSpan(" " + hint.action, .dim)]
  }
}
