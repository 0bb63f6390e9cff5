import CTerminal
import Screen

extension Terminal {
  /// The event that a decoded key or mouse report stands for.
  static func event(_ raw: terminal_key) -> InputEvent {
    let kind = terminal_key_kind(UInt32(bitPattern: raw.kind))
    if let action = mouseAction(kind) {
      return .mouse(Mouse(action, at: Point(column: Int(raw.column), row: Int(raw.row))))
    }
    switch kind {
    case TERMINAL_KEY_CHARACTER: return .key(character(raw.value))
    case TERMINAL_KEY_FUNCTION: return .key(.function(Int(raw.value)))
    default: return .key(named(kind))
    }
  }

  private static func named(_ kind: terminal_key_kind) -> Key {
    switch kind {
    case TERMINAL_KEY_UP: .up
    case TERMINAL_KEY_DOWN: .down
    case TERMINAL_KEY_LEFT: .left
    case TERMINAL_KEY_RIGHT: .right
    case TERMINAL_KEY_HOME: .home
    case TERMINAL_KEY_END: .end
    case TERMINAL_KEY_PAGE_UP: .pageUp
    case TERMINAL_KEY_PAGE_DOWN: .pageDown
    case TERMINAL_KEY_ENTER: .enter
    case TERMINAL_KEY_BACK_TAB: .backTab
    case TERMINAL_KEY_BACKSPACE: .backspace
    case TERMINAL_KEY_DELETE: .delete
    case TERMINAL_KEY_INSERT: .insert
    default: .unknown
    }
  }

  private static func mouseAction(_ kind: terminal_key_kind) -> Mouse.Action? {
    switch kind {
    case TERMINAL_MOUSE_LEFT: .left
    case TERMINAL_MOUSE_MIDDLE: .middle
    case TERMINAL_MOUSE_RIGHT: .right
    case TERMINAL_MOUSE_WHEEL_UP: .wheelUp
    case TERMINAL_MOUSE_WHEEL_DOWN: .wheelDown
    default: nil
    }
  }

  private static func character(_ value: UInt32) -> Key {
    switch value {
    case 8, 127: .backspace
    case 9: .tab
    case 10, 13: .enter
    case 27: .escape
    case 1...26: .control(Character(Unicode.Scalar(UInt8(value + 0x60))))
    case 0..<32, 128..<160: .unknown
    default: Unicode.Scalar(value).map { .character(Character($0)) } ?? .unknown
    }
  }
}
