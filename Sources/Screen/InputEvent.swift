public enum InputEvent: Hashable, Sendable {
  case key(Key)
  case mouse(Mouse)
  /// Pasted text, unchanged. It is never treated as keys.
  case paste(String)
  /// The terminal has another size, or must be redrawn.
  case resize(Size)
}

/// A mouse report: a button press or a turn of the wheel.
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
