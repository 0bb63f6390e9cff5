/// What a style comes to on this terminal.
struct CellLook {
  /// Of ncurses' colour pairs.
  let pair: Int16
  /// `TERMINAL_BOLD` and its like.
  let attributes: UInt8
}
