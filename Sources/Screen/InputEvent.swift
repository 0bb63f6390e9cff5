/// What the person at the terminal did.
public enum InputEvent: Hashable, Sendable {
  case key(Key)
  case mouse(Mouse)
  /// What was pasted, as it came; it is never a key.
  case paste(String)
  /// The terminal has another size now, or must be drawn anew.
  case resize(Size)
}

/// A mouse report: a button going down or a turn of the wheel.
public struct Mouse: Hashable, Sendable {
  public enum Action: Hashable, Sendable {
    case left
    case middle
    case right
    case wheelUp
    case wheelDown
  }

  public var action: Action
  public var at: Point

  public init(_ action: Action, at place: Point) {
    self.action = action
    at = place
  }
}
