import Subscriptions

/// Side effect that the dashboard requests from its host.
///
/// The answer to a query is an event with the same `serial`, ignored if a newer query of its kind was sent.
public enum Effect: Hashable, Sendable {
  case load(Question, serial: Int)
  case loadRows(Question, figure: String, serial: Int)
  case loadCompared(Question, Comparison, serial: Int)
  case loadAlerts(at: Instant, serial: Int)
  case stopRows
  /// Sorts and filters a long list, and sends `Event.arranged`.
  case arrange(ListWork, serial: Int)
  case find(id: String, at: Instant, serial: Int)
  /// Searches for ids that match the typed text, and stops an earlier search.
  case suggest(String, serial: Int)
  case findReceipt(ReceiptID, at: Instant, serial: Int)
  /// Encodes a chain as `chain --format json` prints it.
  case encode(ChainReport, serial: Int)
  /// Queries the storefronts and offers of first payments, from which the user chooses.
  case loadOrigins(serial: Int)
  /// Compares a window with Apple's reports; if `isOfPast`, ignores reports imported after the window's end.
  case loadReconciliation(Window, isOfPast: Bool, serial: Int)
  case loadStatus(at: Instant, serial: Int)
  case loadQueue(at: Instant, serial: Int)
  /// Counts the receipts that a sweep would select, and estimates its duration.
  case countSweep(SweepRequest, at: Instant, serial: Int)
  case loadReceipts(ReceiptQuestion, limit: Int, at: Instant, serial: Int)
  case startSweep(SweepSelection)
  /// Moves receipts to the front of the running sweep, or sends `Event.sweepTooLate` if it has ended.
  case sweepFirst(SweepSelection)
  case pauseSweep
  case resumeSweep
  case stopSweep
  /// Copies a text to the clipboard, and sends `Event.noted`, which calls a copied text `what`.
  case copy(String, what: String)
  /// Writes a list to a file, and sends `Event.noted`.
  case export(TableExport, to: String)
  /// Runs the program that the first string names, and sends `Event.ran` with `name`.
  case run(name: String, [String])
  case setMouse(Bool)
  case setTheme(String)
  case quit
  case suspend
  case redraw
}

/// Request for a sweep, before its receipts are selected.
public enum SweepRequest: Hashable, Sendable {
  case selection(SweepSelection)
  /// Receipts that contain any of the chains.
  case chains([OriginalTransactionID], of: String)
  case receipts([ReceiptID], of: String)
  case answering(ReceiptQuestion, of: String)
}
