import GRDB
import Subscriptions

extension ReceiptStore {
  /// Records outcomes in one commit, and ends the leases. Each receipt is recorded completely or not at all.
  ///
  /// - Parameters:
  ///   - sweep: Sweep that claimed the receipts; `nil` if they were not claimed.
  ///   - progress: Returns the sweep's progress including this batch. It is stored in the same commit, so
  ///     that the record is exact even if the process is killed.
  public func record(
    _ outcomes: [ReceiptOutcome], of sweep: SweepID?, at now: Instant,
    progress: ([RecordedOutcome]) -> SweepSummary? = { _ in nil }
  ) throws(StoreError) -> [RecordedOutcome] {
    try write("record answers in") { db in
      let writer = try AnswerWriter(db: db, policy: policy, now: now)
      let recorded = try outcomes.map { outcome in
        if let sweep, try !Lease.end(outcome.receipt, of: sweep, db), !outcome.isAnswer {
          return RecordedOutcome.lost
        }
        return try Self.recordAlone(outcome, writer)
      }
      try writer.ledger.finish()
      if let sweep { try SweptReceipts.write(zip(outcomes, recorded), of: sweep, db) }
      if let sweep, let summary = progress(recorded) {
        try StoredSweep.write(summary, of: sweep, at: now, db)
      }
      return recorded
    }
  }

  /// Records an outcome in a savepoint, so that a constraint failure affects only this answer.
  private static func recordAlone(_ outcome: ReceiptOutcome, _ writer: AnswerWriter) throws -> RecordedOutcome
  {
    var recorded = RecordedOutcome.noted
    let savepoint = writer.ledger.savepoint
    do {
      try writer.db.inSavepoint {
        recorded = try record(outcome, writer)
        return .commit
      }
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
      writer.ledger.rollBack(to: savepoint)
      let reason = "the answer contradicts itself: \(error.message ?? "a constraint failed")"
      try writer.postpone(
        outcome.receipt, status: nil, reason: reason, nextDue: writer.now + Milliseconds.day)
      return .refused(reason: reason)
    }
    return recorded
  }

  private static func record(_ outcome: ReceiptOutcome, _ writer: AnswerWriter) throws -> RecordedOutcome {
    if outcome.isLatestRefused { try LatestReceipt.drop(of: outcome.receipt, writer.db) }
    switch outcome.result {
    case .answered(let answer, let status, let isPartial):
      guard let receipt = try ReceiptRecord.fetch(outcome.receipt, writer.db) else {
        return .refused(reason: "the receipt is no longer in the store")
      }
      let outcome = try writer.take(answer, extent: isPartial ? .partial : .full, status: status, of: receipt)
      switch outcome {
      case .refused(let reason):
        try writer.postpone(
          receipt.id, status: status, reason: reason, nextDue: writer.now + Milliseconds.day)
      case .changed:
        if let latest = answer.latestReceipt {
          try LatestReceipt.write(latest, of: receipt.id, at: writer.now, writer.db)
        }
      case .unchanged, .noted, .lost: break
      }
      return outcome
    case .signed(let history, let isPartial):
      guard let receipt = try ReceiptRecord.fetch(outcome.receipt, writer.db) else {
        return .refused(reason: "the receipt is no longer in the store")
      }
      return try writer.take(history, isPartial: isPartial, of: receipt)
    case .retryLater(let status, let reason, let nextDue, let rule):
      try writer.postpone(outcome.receipt, status: status, reason: reason, nextDue: nextDue, rule: rule)
    case .rejected(let status, let reason):
      try writer.reject(outcome.receipt, status: status, reason: reason)
    case .accountGone: try writer.end(outcome.receipt)
    }
    return .noted
  }
}

extension ReceiptOutcome {
  fileprivate var isAnswer: Bool {
    switch result {
    case .answered, .signed: true
    case .retryLater, .rejected, .accountGone: false
    }
  }
}
