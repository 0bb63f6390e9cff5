import Subscriptions

/// What the dashboard wants done outside of it. Questions are answered by an event with the same serial; a newer
/// question of a kind makes the older ones' answers worthless.
public enum Effect: Hashable, Sendable {
  case load(Question, serial: Int)
  /// Asks for the rows behind one figure of the question's panel.
  case loadRows(Question, figure: String, serial: Int)
  /// Asks for two reports of one panel, to be set beside each other.
  case loadCompared(Question, Comparison, serial: Int)
  /// Holds the configuration's alerts against the figures of an instant.
  case loadAlerts(at: Instant, serial: Int)
  /// Nobody waits any more for the rows that were asked for last.
  case stopRows
  /// Arranges a long list; answered by `Event.arranged`.
  case arrange(ListWork, serial: Int)
  /// Finds chains by any id that a person may have at hand, whatever their environment.
  case find(id: String, at: Instant, serial: Int)
  /// Asks for ids that what is typed may be a part of; answered by `Event.suggested`, or never where a newer one is asked.
  case suggest(String, serial: Int)
  /// Finds the chains that a receipt holds; answered as `find` is.
  case findReceipt(ReceiptID, at: Instant, serial: Int)
  /// Asks for a chain as `chain --format json` prints it.
  case encode(ChainReport, serial: Int)
  /// Asks as what subscriptions were first paid; answered by `Event.originsLoaded`.
  case loadOrigins(serial: Int)
  case loadStatus(at: Instant, serial: Int)
  /// Asks for what waits to be asked about, and the last sweeps.
  case loadQueue(at: Instant, serial: Int)
  /// Asks which receipts a sweep would take up, and how long that may take.
  case countSweep(SweepRequest, at: Instant, serial: Int)
  /// Asks for receipts by what the sweeps' panel counts, so many at the most.
  case loadReceipts(ReceiptQuestion, limit: Int, at: Instant, serial: Int)
  case startSweep(SweepSelection)
  /// Has the sweep that runs ask about these before the rest; where it is through by then, `Event.sweepTooLate` says so.
  case sweepFirst(SweepSelection)
  case pauseSweep
  case resumeSweep
  case stopSweep
  /// Puts a text on the clipboard.
  case copy(String)
  /// Writes a list into a file; what came of it is told by `Event.noted`.
  case export(TableExport, to: String)
  /// Runs a program with its arguments, of which the first is its name or path; `Event.ran` tells what it said.
  case run(name: String, [String])
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
