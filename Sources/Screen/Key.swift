public enum Key: Hashable, Sendable {
  case character(Character)
  /// Ctrl with a lower-case letter. Ctrl-I is `tab`, Ctrl-J and Ctrl-M are `enter`, and Ctrl-H is
  /// `backspace`, since a terminal does not distinguish them.
  case control(Character)
  case function(Int)
  case up
  case down
  case left
  case right
  case home
  case end
  case pageUp
  case pageDown
  case enter
  case escape
  case tab
  case backTab
  case backspace
  case delete
  case insert
  case unknown

  /// Returns the key with this `name`; `nil` if there is none.
  public init?(named name: String) {
    if let key = Self.named[name.lowercased()] {
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

  private static let named: [String: Key] = Dictionary(
    uniqueKeysWithValues: [
      Key.character(" "), .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .enter, .escape, .tab,
      .backTab, .backspace, .delete, .insert,
    ].map { ($0.name.lowercased(), $0) })

  /// Name of the key in help: `^R`, `F1`, `PgUp`.
  public var name: String {
    switch self {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .control(let letter): "^" + letter.uppercased()
    case .function(let number): "F\(number)"
    case .up: "Up"
    case .down: "Down"
    case .left: "Left"
    case .right: "Right"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .enter: "Enter"
    case .escape: "Esc"
    case .tab: "Tab"
    case .backTab: "S-Tab"
    case .backspace: "Bksp"
    case .delete: "Del"
    case .insert: "Ins"
    case .unknown: "?"
    }
  }
}
