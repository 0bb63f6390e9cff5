import Subscriptions

/// A receipt, or a customer without one, that is to be asked about.
public struct DueReceipt: Sendable {
  public var id: ReceiptID
  /// As it was imported; nil where there is an id alone.
  public var data: ReceiptData?
  /// What the Server API is to be asked with; nil where only the receipt can tell.
  public var customer: CustomerID?
  /// From which on the customer's history is not known; nil asks for all of it.
  public var revision: String?
  /// A newer one that Apple sent back, to be sent instead; nil as well where the last try failed.
  public var latest: ReceiptData?
  /// Where it was last found; nil before its first answer.
  public var environment: StoreEnvironment?
  public var bundleID: BundleID?
  /// Failed tries in a row.
  public var attempts: Int
  /// When the first of them failed.
  public var failingSince: Instant?
  /// The reason kept with the last try, where that failed.
  public var lastFailure: String?
  /// Since when it has been that reason and no other.
  public var sameFailureSince: Instant?
  /// When an answer to a request without `exclude-old-transactions` was last recorded.
  public var lastFullAnswer: Instant?
  /// Of the chains that it is known to hold.
  public var originalTransactionIDs: Set<OriginalTransactionID>

  /// Bytes of its contents.
  public var size: Int { (data?.base64.utf8.count ?? 0) + (latest?.base64.utf8.count ?? 0) }
}

/// How far a sweep has gone through its selection.
public struct ClaimCursor: Hashable, Sendable {
  /// Of the last receipt taken; its id alone where the selection has no order of due dates.
  var due: Instant?
  var id: ReceiptID
}

/// Receipts that a sweep has taken for itself.
public struct Claim: Sendable {
  public var receipts: [DueReceipt]
  /// What to go on after, so that one sweep does not take a receipt twice; nil before the first.
  public var cursor: ClaimCursor?
  /// Whether the selection holds nothing after these that could be taken now.
  public var isLast: Bool
}
