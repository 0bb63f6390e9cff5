/// Text that is safe to show on a terminal, split into cells.
///
/// Names and ids in receipts are untrusted: an escape sequence could control the terminal. Control, format
/// and bidirectional characters become visible placeholders, and so do joined emoji (ZWJ, VS16, skin tones,
/// flags), because ncurses and terminals disagree about their widths.
struct DrawnText {
  let cells: [Cell]
  let width: Int

  init(_ line: StyledText, in glyphs: GlyphSet) {
    var found: [Cell] = []
    for span in line.spans {
      if span.text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
        for scalar in span.text.unicodeScalars {
          found.append(Cell(text: String(scalar), width: 1, style: span.style))
        }
      } else {
        for character in span.text { Self.append(character, span.style, to: &found, in: glyphs) }
      }
    }
    self.init(cells: found)
  }

  private init(cells: [Cell]) {
    self.cells = cells
    width = cells.reduce(0) { $0 + $1.width }
  }

  /// Returns the text cut to a number of columns.
  ///
  /// If it is cut in the middle and has an arrow, the texts before and after the arrow are cut separately.
  func fitted(to columns: Int, cut: TextCut = .end, in glyphs: GlyphSet) -> DrawnText {
    guard width > columns else { return self }
    guard columns > 0 else { return DrawnText(cells: []) }
    if cut == .middle, let (left, arrow, right) = sides(in: glyphs), columns >= arrow.width + 6 {
      let room = columns - arrow.width
      let leftRoom = min(left.width, max(room / 2, room - right.width))
      return DrawnText(
        cells: left.fitted(to: leftRoom, cut: cut, in: glyphs).cells + arrow.cells
          + right.fitted(to: room - leftRoom, cut: cut, in: glyphs).cells)
    }
    // Keeps more of the end, because ids differ mostly at the end.
    let rear = cut == .middle ? Self.kept(cells.reversed(), columns * 2 / 3) : []
    let front = Self.kept(cells, columns - 1 - rear.reduce(0) { $0 + $1.width })
    let style = cells.dropFirst(front.count).first?.style ?? .text
    return DrawnText(
      cells: front + [Cell(text: glyphs.ellipsis, width: 1, style: style)] + rear.reversed())
  }

  private func sides(in glyphs: GlyphSet) -> (DrawnText, DrawnText, DrawnText)? {
    let arrow = [" ", glyphs.right, " "]
    guard let start = cells.indices.first(where: { cells[$0...].prefix(3).map(\.text) == arrow }) else {
      return nil
    }
    return (
      DrawnText(cells: Array(cells[..<start])), DrawnText(cells: Array(cells[start..<start + 3])),
      DrawnText(cells: Array(cells[(start + 3)...]))
    )
  }

  private static func kept(_ cells: some Sequence<Cell>, _ columns: Int) -> [Cell] {
    var used = 0
    return Array(
      cells.prefix { cell in
        used += cell.width
        return used <= columns
      })
  }

  private static func append(
    _ character: Character, _ style: Style, to cells: inout [Cell], in glyphs: GlyphSet
  ) {
    let scalars = character.unicodeScalars
    if glyphs.isASCII, !character.isASCII {
      let isAbout = String(character) == GlyphSet.unicode.about
      cells.append(Cell(text: isAbout ? glyphs.about : glyphs.replacement, width: 1, style: style))
    } else if scalars.contains(where: isJoining) {
      cells.append(Cell(text: glyphs.joined, width: 1, style: style))
    } else {
      appendCells(of: scalars, style, to: &cells, in: glyphs)
    }
  }

  /// Appends one cell for each base character with its marks; an Indic grapheme can become several cells.
  private static func appendCells(
    of scalars: Character.UnicodeScalarView, _ style: Style, to cells: inout [Cell], in glyphs: GlyphSet
  ) {
    var base = String.UnicodeScalarView()
    var width = 0
    func finish() {
      if !base.isEmpty { cells.append(Cell(text: String(base), width: width, style: style)) }
    }
    for scalar in scalars {
      let columns = ScalarWidth.of(scalar)
      if columns > 0, isDrawable(scalar) {
        finish()
        base = String.UnicodeScalarView([scalar])
        width = columns
      } else if columns == 0, !base.isEmpty, isDrawable(scalar) {
        // A curses cell holds five scalars (CCHARW_MAX). Further marks are dropped.
        if base.count < 5 { base.append(scalar) }
      } else {
        finish()
        base = glyphs.replacement.unicodeScalars
        width = 1
      }
    }
    finish()
  }

  /// Whether a scalar joins emoji into one, or modifies how an emoji is drawn.
  private static func isJoining(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200C, 0x200D, 0x20E3, 0xFE00...0xFE0F, 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF, 0xE0020...0xE007F:
      true
    default: false
    }
  }

  private static func isDrawable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: scalar.value != 0xAD
    }
  }
}

extension Unicode.Scalar {
  /// Whether the scalar could control a terminal, change the text direction or be invisible.
  public var isCommanding: Bool {
    [.control, .format, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
  }
}

extension String {
  /// Copy that is safe to print: scalars that could control a terminal are replaced by U+FFFD.
  public var harmless: String { replacingCommands { _ in "\u{FFFD}" } }

  /// Copy with U+FFFD for control characters, for programs that compare ids; format characters are kept.
  public var withoutControls: String {
    replacingCommands { $0.properties.generalCategory == .control ? "\u{FFFD}" : String($0) }
  }

  public func replacingCommands(_ replacement: (Unicode.Scalar) -> String) -> String {
    // Fast path: most texts are printable ASCII and need no change.
    guard utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) else { return self }
    // Collects scalars in a view, because changing the scalars of a string copies the string.
    var kept = UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isCommanding { kept += replacement(scalar).unicodeScalars } else { kept.append(scalar) }
    }
    return String(kept)
  }
}

/// Width of texts on the screen, in columns.
public enum TextWidth {
  public static func of(_ text: String, in glyphs: GlyphSet = .unicode) -> Int {
    DrawnText(StyledText(text), in: glyphs).width
  }
}
