struct CellLook {
  /// Number of an ncurses colour pair.
  let pair: Int16
  /// Bits such as `TERMINAL_BOLD`.
  let attributes: UInt8
}
