import Subscriptions

/// Side effect that the dashboard requests from its host.
///
/// An event with the same serial answers a query. A newer query of the same kind invalidates older answers.
public enum Effect: Hashable, Sendable {
  case load(Question, serial: Int)
  case loadRows(Question, figure: String, serial: Int)
  case loadCompared(Question, Comparison, serial: Int)
  case loadAlerts(at: Instant, serial: Int)
  case stopRows
  /// Arranges a long list. Answered by `Event.arranged`.
  case arrange(ListWork, serial: Int)
  /// Finds chains in any environment by any of their ids.
  case find(id: String, at: Instant, serial: Int)
  /// Searches for ids that match the typed text. A newer search cancels an older one.
  case suggest(String, serial: Int)
  case findReceipt(ReceiptID, at: Instant, serial: Int)
  /// Encodes a chain as `chain --format json` prints it.
  case encode(ChainReport, serial: Int)
  /// Queries the storefronts and offers of first payments, for choices. Answered by `Event.originsLoaded`.
  case loadOrigins(serial: Int)
  /// Compares the figures of a window with Apple's reports. Answered by `Event.reconciled`.
  ///
  /// - isOfPast: Whether only imports before the window's end are known.
  case loadReconciliation(Window, isOfPast: Bool, serial: Int)
  case loadStatus(at: Instant, serial: Int)
  case loadQueue(at: Instant, serial: Int)
  /// Counts the receipts that a sweep would select, and estimates its duration.
  case countSweep(SweepRequest, at: Instant, serial: Int)
  case loadReceipts(ReceiptQuestion, limit: Int, at: Instant, serial: Int)
  case startSweep(SweepSelection)
  /// Moves receipts to the front of the running sweep. `Event.sweepTooLate` reports that the sweep has ended.
  case sweepFirst(SweepSelection)
  case pauseSweep
  case resumeSweep
  case stopSweep
  /// Copies a text to the clipboard. `Event.noted` reports the result and names the text by `what`.
  case copy(String, what: String)
  /// Writes a list to a file. `Event.noted` reports the result.
  case export(TableExport, to: String)
  /// Runs a program. The first string is its name or path. `Event.ran` reports the result.
  case run(name: String, [String])
  case setMouse(Bool)
  case setTheme(String)
  case quit
  /// Suspends the program until `fg`.
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
