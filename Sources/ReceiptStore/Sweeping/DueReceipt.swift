import Subscriptions

/// Receipt to send to Apple, or customer to query without a receipt.
public struct DueReceipt: Sendable {
  public var id: ReceiptID
  /// Imported receipt; `nil` if there is only a customer id.
  public var data: ReceiptData?
  /// Id for the Server API; `nil` if only the receipt can be sent.
  public var customer: CustomerID?
  /// Revision from which the customer's history continues; `nil` to read all of it.
  public var revision: String?
  /// Newer receipt from Apple, to send instead of `data`; `nil` if there is none or the last try failed.
  public var latest: ReceiptData?
  /// Environment of the last answer; `nil` before the first answer.
  public var environment: StoreEnvironment?
  public var bundleID: BundleID?
  public var history: FailureHistory
  /// Instant of the last answer to a request without `exclude-old-transactions` or a revision.
  public var lastFullAnswer: Instant?
  public var originalTransactionIDs: Set<OriginalTransactionID>

  public var size: Int { (data?.base64.utf8.count ?? 0) + (latest?.base64.utf8.count ?? 0) }
}

/// Earlier failures of a receipt, which determine whether another failure marks it as dead.
public struct FailureHistory: Hashable, Sendable {
  /// Number of failed tries in a row.
  public var failures = 0
  /// Instant of the first of the consecutive failures; `nil` if there are none.
  public var since: Instant?
  public var lastReason: String?
  /// Instant since which every try failed for `lastReason`.
  public var sameSince: Instant?
  public var wasValidated = false

  public init() {}
}

/// Position of a sweep in its selection.
public struct ClaimCursor: Hashable, Sendable {
  /// Due date of the last claimed receipt; `nil` if the selection is ordered by id.
  var due: Instant?
  var id: ReceiptID
}

/// Receipts that a sweep has leased.
public struct Claim: Sendable {
  public var receipts: [DueReceipt]
  /// Cursor for the next claim, so that a sweep claims no receipt twice; `nil` if it has claimed none.
  public var cursor: ClaimCursor?
  /// Whether no more receipts can be claimed now.
  public var isLast: Bool
}
