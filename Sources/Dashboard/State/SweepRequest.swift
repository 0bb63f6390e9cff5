import Subscriptions

/// What somebody wants swept, before it is known which receipts that is.
public enum SweepRequest: Hashable, Sendable {
  case selection(SweepSelection)
  /// The receipts that hold any of some chains.
  case chains([OriginalTransactionID], of: String)
  case receipts([ReceiptID], of: String)
  /// All the receipts that answer a question.
  case answering(ReceiptQuestion, of: String)
}

/// A sweep that begins when somebody says so.
struct SweepConfirmation: Sendable {
  /// Of the question how many receipts it would take.
  var serial: Int
  /// What is swept, in words: `every receipt`.
  var subject: String
  /// What else there is to know of it; empty where that is nothing.
  var remark = ""
  /// Nil until it is counted.
  var counted: (selection: SweepSelection, estimate: SweepEstimate)?
}
