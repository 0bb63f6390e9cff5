import Subscriptions

/// Use of the line that the user types.
enum PromptPurpose: Hashable, Sendable {
  /// Finds chains, products and figures.
  case find
  /// Filters the list while typing. Cancelling restores `before`.
  case filter(before: ListOptions)
  case command
  case export
}

/// A sweep that was requested, before its receipts are selected.
public enum SweepRequest: Hashable, Sendable {
  case selection(SweepSelection)
  /// Receipts that hold any of the chains.
  case chains([OriginalTransactionID], of: String)
  case receipts([ReceiptID], of: String)
  case answering(ReceiptQuestion, of: String)
}

/// A sweep awaiting confirmation.
struct SweepConfirmation: Sendable {
  var serial: Int
  /// Example: `every receipt`.
  var subject: String
  var remark = ""
  /// `nil` until the receipts are counted.
  var counted: (selection: SweepSelection, estimate: SweepEstimate)?
}
