import Subscriptions

/// A side effect that the dashboard requests from its host.
///
/// A query is answered by an event with the same serial. A newer query of a kind invalidates the answers to
/// older ones.
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
  /// Searches for ids that match the typed text. Answered by `Event.suggested`, unless a newer search
  /// replaces it.
  case suggest(String, serial: Int)
  case findReceipt(ReceiptID, at: Instant, serial: Int)
  /// Encodes a chain as `chain --format json` prints it.
  case encode(ChainReport, serial: Int)
  /// Queries the kinds and offers of first payments. Answered by `Event.originsLoaded`.
  case loadOrigins(serial: Int)
  case loadStatus(at: Instant, serial: Int)
  case loadQueue(at: Instant, serial: Int)
  /// Counts the receipts that a sweep would select, and estimates its duration.
  case countSweep(SweepRequest, at: Instant, serial: Int)
  case loadReceipts(ReceiptQuestion, limit: Int, at: Instant, serial: Int)
  case startSweep(SweepSelection)
  /// Puts receipts at the front of the running sweep. `Event.sweepTooLate` reports that it ended before.
  case sweepFirst(SweepSelection)
  case pauseSweep
  case resumeSweep
  case stopSweep
  /// Copies a text to the clipboard. `Event.noted` reports the result, with a name for the text.
  case copy(String, what: String)
  /// Writes a list to a file. `Event.noted` reports the result.
  case export(TableExport, to: String)
  /// Runs a program with its arguments; the first is its name or path. `Event.ran` reports the result.
  case run(name: String, [String])
  case setMouse(Bool)
  case setTheme(String)
  case quit
  /// Suspends the program until `fg`.
  case suspend
  case redraw
}

/// A sweep that was requested, before its receipts are selected.
public enum SweepRequest: Hashable, Sendable {
  case selection(SweepSelection)
  /// Receipts that hold any of the chains.
  case chains([OriginalTransactionID], of: String)
  case receipts([ReceiptID], of: String)
  case answering(ReceiptQuestion, of: String)
}
