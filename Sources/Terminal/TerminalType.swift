import CTerminal

/// What the system's terminfo knows of a type of terminal, as `TERM` names it.
public enum TerminalType {
  /// How many colours it has, 0 for none; nil where the type is not known.
  public static func colours(of type: String) -> Int? {
    let colours = terminal_type_colours(type)
    return colours < 0 ? nil : Int(colours)
  }

  /// Whether it can put its cursor anywhere, without which nothing is drawn.
  public static func movesCursor(_ type: String) -> Bool { terminal_type_moves_cursor(type) }
}
