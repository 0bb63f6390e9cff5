/// Query for receipts that the sweeps panel counts.
public enum ReceiptQuestion: Hashable, Sendable {
  /// Receipts that have been due for at least `from` and less than `until` milliseconds.
  case due(from: Int64 = 0, until: Int64? = nil)
  /// Receipts due within 24 hours, and later.
  case dueSoon
  case dueLater
  /// Receipts whose last try failed, for one reason or, if `nil`, any.
  case failed(String?)
  /// Receipts that are checked rarely because their answers are too long, by reason.
  case setAside(String)
  /// Receipts that are never due again, for one reason or, if `nil`, any.
  case dead(String?)
  case inProgress
  /// `nil` matches a status of any time.
  case status(Int, since: Instant? = nil)
  /// Receipts that a sweep changed or failed for.
  case ofSweep(SweepID)
}

public enum SweptReceipt: String, Hashable, Sendable, CaseIterable {
  case changed
  case later
  case rejected
}

public struct ReceiptLine: Hashable, Sendable {
  public var id: ReceiptID
  public var appUserID: AppUserID?
  /// First of its chains.
  public var chain: OriginalTransactionID?
  public var otherChains = 0
  /// Product of the newest line of the first chain.
  public var product: ProductID?
  public var lastCheckedAt: Instant?
  public var lastStatus: Int?
  public var why: String?
  /// `nil` if it is never due.
  public var nextDue: Instant?
  /// Outcome in a past sweep.
  public var swept: SweptReceipt?

  public init(id: ReceiptID) { self.id = id }
}

public struct ReceiptLines: Hashable, Sendable {
  public var question: ReceiptQuestion
  public var rows: [ReceiptLine]
  /// Number of all matching receipts. `rows` may be a part of them.
  public var count: Int

  public init(_ question: ReceiptQuestion, _ rows: [ReceiptLine], count: Int) {
    self.question = question
    self.rows = rows
    self.count = count
  }
}
