import GRDB
import Subscriptions

/// A receipt that is to be asked about.
public struct DueReceipt: Sendable {
  public var id: ReceiptID
  public var data: ReceiptData
  /// Where it was last found; nil before its first answer.
  public var environment: StoreEnvironment?
  public var bundleID: BundleID?
  /// Failed tries in a row.
  public var attempts: Int
}

/// What asking about one receipt came to.
public struct ReceiptOutcome: Sendable {
  public enum Result: Sendable {
    /// Status 0 or 21006.
    case answered(Answer, status: Int)
    /// Nothing is known that was not known before.
    case retryLater(status: Int?, reason: String, nextDue: Instant)
    /// Asking again will not help.
    case rejected(status: Int?, reason: String)
    /// Status 21010: the history stays, and nobody asks again.
    case accountGone
  }

  public var receipt: ReceiptID
  public var result: Result

  public init(receipt: ReceiptID, result: Result) {
    self.receipt = receipt
    self.result = result
  }
}

/// What recording an outcome changed.
public enum RecordedOutcome: Hashable, Sendable {
  case unchanged
  case changed(newTransactions: Int)
  /// The answer was not for this receipt; it is dead now, with the reason kept.
  case refused(reason: String)
  /// Anything but an answer.
  case noted
}

extension ReceiptStore {
  /// How many receipts a selection holds.
  public func count(of selection: SweepSelection, at now: Instant) throws(StoreError) -> Int {
    try read("count receipts in") { db in
      let (condition, arguments) = Self.condition(selection, at: now)
      return try Int.fetchOne(
        db, sql: "SELECT count(*) FROM receipts WHERE \(condition)", arguments: arguments) ?? 0
    }
  }

  /// The next receipts of a selection, ordered by id.
  ///
  /// - Parameter after: the last id of the page before.
  public func receipts(
    _ selection: SweepSelection, at now: Instant, after: ReceiptID?, limit: Int
  )
    throws(StoreError) -> [DueReceipt]
  {
    try read("read receipts from") { db in
      let (condition, arguments) = Self.condition(selection, at: now)
      // Receipts are large: their ids are found first, those that are due in their index alone.
      let id = selection == .due ? "+id" : "id"
      let statement = try db.cachedStatement(
        sql: """
          SELECT id, receipt_data, environment, bundle_id, attempts FROM receipts
          WHERE id IN (SELECT id FROM receipts WHERE \(condition) AND \(id) > ? ORDER BY \(id) LIMIT ?) ORDER BY id
          """)
      let page: StatementArguments = [after?.rawValue ?? 0, limit]
      return try FetchedRow.fetchAll(statement, arguments: arguments + page).map { row in
        DueReceipt(
          id: row[0], data: ReceiptData(trusted: row[1]),
          environment: (row[2] as String?).map(StoreEnvironment.init), bundleID: row[3], attempts: row[4])
      }
    }
  }

  /// What can be asked about at all has a receipt to send; the dead are asked about only by name.
  private static func condition(_ selection: SweepSelection, at now: Instant) -> (String, StatementArguments)
  {
    switch selection {
    case .due: ("next_due_at_ms <= ?", [now])
    case .all: ("receipt_data IS NOT NULL AND dead_reason IS NULL", [])
    case .user(let user):
      // The index leaves out receipts without a user.
      ("app_user_id = ? AND app_user_id <> '' AND receipt_data IS NOT NULL", [user])
    case .receipt(let id): ("receipt_data IS NOT NULL AND id = ?", [id])
    }
  }

  /// Records a batch in one commit, each receipt whole or not at all.
  ///
  /// - Returns: what each changed, in the batch's order.
  public func record(_ outcomes: [ReceiptOutcome], at now: Instant) throws(StoreError) -> [RecordedOutcome] {
    try write("record answers in") { db in
      let writer = AnswerWriter(db: db, catalog: try CatalogTable.read(db), policy: policy, now: now)
      return try outcomes.map { try Self.recordAlone($0, writer) }
    }
  }

  /// An answer that the tables refuse is refused alone; its neighbours in the batch are kept.
  private static func recordAlone(_ outcome: ReceiptOutcome, _ writer: AnswerWriter) throws -> RecordedOutcome
  {
    var recorded = RecordedOutcome.noted
    do {
      try writer.db.inSavepoint {
        recorded = try record(outcome, writer)
        return .commit
      }
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
      let reason = "the answer contradicts itself: \(error.message ?? "a constraint failed")"
      try writer.postpone(
        outcome.receipt, status: nil, reason: reason, nextDue: writer.now + Milliseconds.day)
      return .refused(reason: reason)
    }
    return recorded
  }

  private static func record(_ outcome: ReceiptOutcome, _ writer: AnswerWriter) throws -> RecordedOutcome {
    switch outcome.result {
    case .answered(let answer, let status):
      guard let receipt = try ReceiptRecord.fetch(outcome.receipt, writer.db) else {
        return .refused(reason: "the receipt is no longer in the store")
      }
      let outcome = try writer.take(answer, status: status, of: receipt)
      if case .refused(let reason) = outcome { try writer.reject(receipt.id, status: status, reason: reason) }
      return outcome
    case .retryLater(let status, let reason, let nextDue):
      try writer.postpone(outcome.receipt, status: status, reason: reason, nextDue: nextDue)
    case .rejected(let status, let reason):
      try writer.reject(outcome.receipt, status: status, reason: reason)
    case .accountGone: try writer.end(outcome.receipt)
    }
    return .noted
  }

  /// Keeps what a sweep came to.
  public func record(_ summary: SweepSummary, finishedAt: Instant) throws(StoreError) {
    try write("record a sweep in") { db in
      let counts = summary.counts
      try db.execute(
        sql: """
          INSERT INTO sweeps (started_at_ms, finished_at_ms, picked, validated, unchanged, changed, new_transactions,
            rerouted, retry_later, rejected, transport_errors, stopped)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          summary.started, finishedAt, counts.picked, counts.validated, counts.unchanged, counts.changed,
          counts.newTransactions, counts.rerouted, counts.retryLater, counts.rejected, counts.transportErrors,
          summary.stopped?.rawValue,
        ])
    }
  }
}
