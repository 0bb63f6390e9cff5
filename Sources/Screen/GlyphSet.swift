/// The characters that frames, bars and marks are drawn with.
public struct GlyphSet: Hashable, Sendable {
  /// Whether every cell must be ASCII; other characters of the data are then drawn as `?`.
  public let isASCII: Bool
  public let horizontal: String
  public let vertical: String
  public let topLeft: String
  public let topRight: String
  public let bottomLeft: String
  public let bottomRight: String
  /// Stands for the text that did not fit; one column.
  public let ellipsis: String
  /// Stands for a character that must not reach the terminal; one column.
  public let replacement: String
  /// Stands for a joined emoji, whose width terminals disagree about; one column.
  public let joined: String
  /// From one eighth of a cell to eight, rising.
  public let rising: [String]
  /// The parts of a horizontal bar's last cell, rising to the full cell.
  public let growing: [String]
  /// The halves of a cell.
  public let leftHalf: String
  public let rightHalf: String
  /// Where a bar leaves out a part of its length.
  public let cut: String
  public let track: String
  public let up: String
  public let down: String
  public let left: String
  public let right: String
  public let ascending: String
  public let descending: String
  public let bullet: String
  public let separator: String
  /// Where nothing was paid for.
  public let gap: String
  public let dash: String
  public let tick: String
  public let cross: String
  public let warning: String
  /// Before an amount that is as exact as an exchange rate.
  public let about: String
  /// Behind a number that is not yet what it will be.
  public let unfinished: String
  /// One for each step of `Role.heat`.
  public let shades: [String]
  /// Whether shades are told by characters, since there are no colours.
  public private(set) var drawsShades = false

  /// For where there are no colours.
  public var withoutColours: GlyphSet {
    var glyphs = self
    glyphs.drawsShades = true
    return glyphs
  }
}

extension GlyphSet {
  /// For terminals in a UTF-8 locale.
  public static let unicode = GlyphSet(
    isASCII: false, horizontal: "─", vertical: "│", topLeft: "┌", topRight: "┐", bottomLeft: "└",
    bottomRight: "┘", ellipsis: "…", replacement: "\u{FFFD}", joined: "□",
    rising: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], growing: ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
    leftHalf: "▌", rightHalf: "▐", cut: "╱", track: "░", up: "↑", down: "↓", left: "←", right: "→",
    ascending: "▲", descending: "▼", bullet: "●",
    separator: "·", gap: "·", dash: "–", tick: "✓", cross: "✗", warning: "!", about: "≈", unfinished: "›",
    shades: [" ", "░", "░", "▒", "▒", "▓", "▓", "█"])

  /// For every other terminal, and for `--ascii`.
  public static let ascii = GlyphSet(
    isASCII: true, horizontal: "-", vertical: "|", topLeft: "+", topRight: "+", bottomLeft: "+",
    bottomRight: "+", ellipsis: "~", replacement: "?", joined: "?",
    rising: ["_", ".", ":", "-", "=", "+", "*", "#"], growing: ["#"],
    leftHalf: "#", rightHalf: "#", cut: "/", track: ".", up: "^", down: "v", left: "<", right: ">",
    ascending: "^", descending: "v", bullet: "*",
    separator: "|", gap: "-", dash: "-", tick: "+", cross: "x", warning: "!", about: "~", unfinished: ">",
    shades: [" ", ".", ":", "-", "=", "+", "*", "#"])
}
