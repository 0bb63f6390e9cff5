/// A number three rows high, drawn with half cells. In ASCII nothing is drawn.
public struct BigText: Hashable, Sendable {
  public static let rows = 3

  private let glyphs: [[UInt8]]
  private let style: Style

  /// Returns `nil` if a character has no large form.
  public init?(_ text: String, _ style: Style) {
    var glyphs: [[UInt8]] = []
    for character in text {
      guard let glyph = Self.forms[character] else { return nil }
      glyphs.append(glyph)
    }
    (self.glyphs, self.style) = (glyphs, style)
  }

  /// Columns, including a blank one between two characters.
  public var columns: Int { max(0, glyphs.reduce(-1) { $0 + Self.width(of: $1) + 1 }) }

  public func draw(on canvas: inout Canvas, in rect: Rect) {
    guard !canvas.glyphs.isASCII else { return }
    canvas.within(rect) { canvas in
      var column = 0
      for glyph in glyphs {
        let width = Self.width(of: glyph)
        for row in 0..<Self.rows {
          // Five dots high, so the third row has only an upper half.
          let (upper, lower) = (glyph[row * 2], row * 2 + 1 < glyph.count ? glyph[row * 2 + 1] : 0)
          for place in 0..<width {
            let bit = UInt8(1) << UInt8(width - 1 - place)
            let half = ["", "▄", "▀", "█"][(upper & bit == 0 ? 0 : 2) + (lower & bit == 0 ? 0 : 1)]
            if !half.isEmpty { canvas.put(half, column: column + place, row: row, style, width: 1) }
          }
        }
        column += width + 1
      }
    }
  }

  private static func width(of glyph: [UInt8]) -> Int { glyph.allSatisfy { $0 < 2 } ? 1 : 3 }

  /// Five rows of three dots, or of one.
  private static let forms: [Character: [UInt8]] = [
    "0": [7, 5, 5, 5, 7], "1": [2, 6, 2, 2, 7], "2": [7, 1, 7, 4, 7], "3": [7, 1, 7, 1, 7],
    "4": [5, 5, 7, 1, 1], "5": [7, 4, 7, 1, 7], "6": [7, 4, 7, 5, 7], "7": [7, 1, 1, 2, 2],
    "8": [7, 5, 7, 5, 7], "9": [7, 5, 7, 1, 7], ",": [0, 0, 0, 1, 1], ".": [0, 0, 0, 0, 1],
    "-": [0, 0, 7, 0, 0], "%": [5, 1, 2, 4, 5],
  ]
}
