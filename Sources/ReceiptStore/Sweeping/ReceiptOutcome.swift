import GRDB
import Subscriptions

/// Outcome of a request for one receipt.
public struct ReceiptOutcome: Sendable {
  public enum Result: Sendable {
    /// Status 0 or 21006; the answer and its `latestReceipt` were verified to belong to the receipt.
    ///
    /// If `isPartial`, the request had `exclude-old-transactions`, so omitted transactions prove nothing.
    case answered(Answer, status: Int, isPartial: Bool = false)
    /// Verified history of a customer from the Server API, which starts at a revision if `isPartial`.
    case signed(CustomerHistory, isPartial: Bool)
    case retryLater(status: Int?, reason: String, nextDue: Instant, rule: DuePolicy.Rule = .failed)
    case rejected(status: Int?, reason: String)
    /// Status 21010: the history is kept, and the receipt is marked as dead.
    case accountGone
  }

  public var receipt: ReceiptID
  public var result: Result
  /// Whether the newer receipt, sent instead of the imported one, was refused and must be dropped.
  public var isLatestRefused: Bool

  public init(receipt: ReceiptID, result: Result, isLatestRefused: Bool = false) {
    (self.receipt, self.result, self.isLatestRefused) = (receipt, result, isLatestRefused)
  }

  var isAnswer: Bool {
    switch result {
    case .answered, .signed: true
    case .retryLater, .rejected, .accountGone: false
    }
  }
}

public enum RecordedOutcome: Hashable, Sendable {
  case unchanged
  case changed(AnswerNews)
  /// The answer was not recorded, for example because it is for another app; a sweep records the reason.
  case refused(reason: String)
  case noted
  /// The outcome was not recorded: the lease of a failure had ended, or the receipt is not in the store.
  case lost
}

/// Receipts that a sweep changed, rejected or could not check, for later listing.
enum SweptReceipts {
  /// Maximum number of receipts per sweep and outcome.
  static let most = 1000
  /// Number of sweeps whose receipts are kept.
  private static let sweeps: Int64 = 50

  static func write(
    _ batch: some Sequence<(ReceiptOutcome, RecordedOutcome)>, of sweep: SweepID, _ db: Database
  ) throws {
    var room: [SweptReceipt: Int] = [:]
    let count = try db.cachedStatement(
      sql: "SELECT count(*) FROM sweep_receipts WHERE sweep_id = ? AND outcome = ?")
    let insert = try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO sweep_receipts (sweep_id, receipt_id, outcome, status, reason) VALUES (?, ?, ?, ?, ?)
        """)
    for (outcome, recorded) in batch {
      guard let (kind, status, reason) = note(outcome, recorded) else { continue }
      let left =
        try room[kind] ?? (most - (Int.fetchOne(count, arguments: [sweep.rawValue, kind.rawValue]) ?? 0))
      room[kind] = left - 1
      guard left > 0 else { continue }
      try insert.execute(arguments: [sweep.rawValue, outcome.receipt, kind.rawValue, status, reason])
    }
  }

  static func forget(before sweep: Int64, _ db: Database) throws {
    try db.run("DELETE FROM sweep_receipts WHERE sweep_id <= ?", [sweep - sweeps])
  }

  /// Returns the entry for an outcome; `nil` for an answer without changes, and for `RecordedOutcome.lost`.
  private static func note(
    _ outcome: ReceiptOutcome, _ recorded: RecordedOutcome
  ) -> (SweptReceipt, status: Int?, reason: String?)? {
    switch (outcome.result, recorded) {
    case (_, .lost): nil
    case (_, .refused(let reason)): (.later, nil, reason)
    case (.answered(_, let status, _), .changed): (.changed, status, nil)
    case (.signed, .changed): (.changed, nil, nil)
    case (.answered, _), (.signed, _): nil
    case (.retryLater(let status, let reason, _, _), _): (.later, status, reason)
    case (.rejected(let status, let reason), _): (.rejected, status, reason)
    case (.accountGone, _): (.rejected, 21010, nil)
    }
  }
}
