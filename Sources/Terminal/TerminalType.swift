import CTerminal

/// Capabilities of a terminal type, named as in `TERM`, according to the system's terminfo.
public enum TerminalType {
  /// Returns the number of colours, 0 for none; `nil` if the type is unknown.
  public static func colours(of type: String) -> Int? {
    let colours = terminal_type_colours(type)
    return colours < 0 ? nil : Int(colours)
  }

  /// Whether the type can position its cursor, which drawing requires.
  public static func movesCursor(_ type: String) -> Bool { terminal_type_moves_cursor(type) }
}
