import Subscriptions

/// What the dashboard wants done outside of it. Questions are answered by an event with the same serial; a newer
/// question of a kind makes the older ones' answers worthless.
public enum Effect: Hashable, Sendable {
  case load(Question, serial: Int)
  /// Asks for the rows behind one figure of the question's panel.
  case loadRows(Question, figure: String, serial: Int)
  /// Finds chains by an app user, an original transaction id, a transaction id or a web order line item id, whatever
  /// their environment.
  case find(id: String, at: Instant, serial: Int)
  /// Finds the chains that a receipt holds; answered as `find` is.
  case findReceipt(ReceiptID, at: Instant, serial: Int)
  /// Asks for a chain as `chain --format json` prints it.
  case encode(ChainReport, serial: Int)
  case loadStatus(at: Instant, serial: Int)
  /// Asks for what waits to be asked about, and the last sweeps.
  case loadQueue(at: Instant, serial: Int)
  case startSweep(SweepSelection)
  case pauseSweep
  case resumeSweep
  case stopSweep
  /// Puts a text on the clipboard.
  case copy(String)
  /// Writes a list into a file; what came of it is told by `Event.noted`.
  case export(TableExport, to: String)
  /// Whether clicks and the wheel are to be reported.
  case setMouse(Bool)
  /// Has everything drawn in a theme of `State.themes`.
  case setTheme(String)
  case quit
  /// Hands the terminal back to the shell until `fg`.
  case suspend
  /// Draws every cell anew, whatever is thought to be on the screen.
  case redraw
}
