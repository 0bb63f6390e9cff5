/// Which receipts somebody wants to see, by what the sweeps' panel counts.
public enum ReceiptQuestion: Hashable, Sendable {
  /// Those whose next check has come, for at least so many milliseconds and less than so many; nil is without an end.
  case due(from: Int64 = 0, until: Int64? = nil)
  /// Those whose next check comes within 24 hours, and those of which it comes later.
  case dueSoon
  case dueLater
  /// Those whose last try failed; nil whatever it failed of.
  case failed(String?)
  /// Those that are asked about rarely, since their answers are too long, by the reason kept.
  case setAside(String)
  /// Those that are not asked about any more; nil whatever the reason.
  case dead(String?)
  /// Those that a running sweep has taken up.
  case inProgress
  /// Those for which Apple last gave a status, at an instant or since; nil whenever it was.
  case status(Int, since: Instant? = nil)
  /// Those that a sweep changed something of, or had trouble with.
  case ofSweep(SweepID)
}

/// What a sweep did with a receipt, where that is worth a word.
public enum SweptReceipt: String, Hashable, Sendable, CaseIterable {
  case changed
  /// Left for a later try.
  case later
  case rejected
}

/// A receipt as a list shows it.
public struct ReceiptLine: Hashable, Sendable {
  public var id: ReceiptID
  public var appUserID: AppUserID?
  /// The first of its chains; nil where none is known.
  public var chain: OriginalTransactionID?
  /// How many more it holds.
  public var otherChains = 0
  /// Of the first chain's newest line.
  public var product: ProductID?
  public var lastCheckedAt: Instant?
  public var lastStatus: Int?
  /// Why it failed last, or is not asked about any more.
  public var why: String?
  /// Nil where nobody asks about it.
  public var nextDue: Instant?
  /// Of a past sweep: what it did with it.
  public var swept: SweptReceipt?

  public init(id: ReceiptID) { self.id = id }
}

/// The receipts that answer a question.
public struct ReceiptLines: Hashable, Sendable {
  public var question: ReceiptQuestion
  public var rows: [ReceiptLine]
  /// All there are, of which the rows may be only some.
  public var count: Int

  public init(_ question: ReceiptQuestion, _ rows: [ReceiptLine], count: Int) {
    self.question = question
    self.rows = rows
    self.count = count
  }
}
