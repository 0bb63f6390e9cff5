import CTerminal

/// What the system's terminfo knows of a type of terminal, as `TERM` names it.
public enum TerminalType {
  /// How many colours it has, 0 for none; nil where the type is not known.
  public static func colours(of type: String) -> Int? {
    let colours = terminal_type_colours(type)
    return colours < 0 ? nil : Int(colours)
  }
}
