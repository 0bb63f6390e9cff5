/// Characters for frames, charts and marks, in a Unicode and an ASCII version.
public struct GlyphSet: Hashable, Sendable {
  /// Whether every cell must be ASCII, so that other characters are drawn as `?`.
  public let isASCII: Bool
  public let horizontal: String
  public let vertical: String
  public let topLeft: String
  public let topRight: String
  public let bottomLeft: String
  public let bottomRight: String
  /// Ends text that was cut; one column.
  public let ellipsis: String
  /// Replaces a character that must not reach the terminal; one column.
  public let replacement: String
  /// Replaces a joined emoji, since terminals disagree about its width; one column.
  public let joined: String
  public let rising: [String]
  /// Characters that end a horizontal bar, from the smallest part of a cell to the full cell.
  public let growing: [String]
  public let leftHalf: String
  public let rightHalf: String
  /// Marks a bar whose start is cut off, because the axis of its chart begins above zero.
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
  /// Marks lapsed time in a timeline.
  public let gap: String
  public let dash: String
  public let tick: String
  public let cross: String
  public let warning: String
  /// Precedes an amount that depends on an exchange rate.
  public let about: String
  /// Follows a number that can still change.
  public let unfinished: String
  /// Characters that shade a cell, one for each step of `Role.heat`.
  public let shades: [String]
  /// Whether shades are drawn as characters because there are no colours.
  public private(set) var drawsShades = false

  public var withoutColours: GlyphSet {
    var glyphs = self
    glyphs.drawsShades = true
    return glyphs
  }

  public static let unicode = GlyphSet(
    isASCII: false, horizontal: "─", vertical: "│", topLeft: "┌", topRight: "┐", bottomLeft: "└",
    bottomRight: "┘", ellipsis: "…", replacement: "\u{FFFD}", joined: "□",
    rising: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], growing: ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
    leftHalf: "▌", rightHalf: "▐", cut: "╱", track: "░", up: "↑", down: "↓", left: "←", right: "→",
    ascending: "▲", descending: "▼", bullet: "●",
    separator: "·", gap: "·", dash: "–", tick: "✓", cross: "✗", warning: "!", about: "≈", unfinished: "›",
    shades: [" ", "░", "░", "▒", "▒", "▓", "▓", "█"])

  public static let ascii = GlyphSet(
    isASCII: true, horizontal: "-", vertical: "|", topLeft: "+", topRight: "+", bottomLeft: "+",
    bottomRight: "+", ellipsis: "~", replacement: "?", joined: "?",
    rising: ["_", ".", ":", "-", "=", "+", "*", "#"], growing: ["#"],
    leftHalf: "#", rightHalf: "#", cut: "/", track: ".", up: "^", down: "v", left: "<", right: ">",
    ascending: "^", descending: "v", bullet: "*",
    separator: "|", gap: "-", dash: "-", tick: "+", cross: "x", warning: "!", about: "~", unfinished: ">",
    shades: [" ", ".", ":", "-", "=", "+", "*", "#"])
}
