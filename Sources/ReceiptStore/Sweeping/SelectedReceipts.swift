import GRDB
import Subscriptions

/// SQL condition over `receipts q` for the receipts that a sweep may claim.
struct SelectedReceipts {
  var condition: String
  var arguments: [String: (any DatabaseValueConvertible)?]
  var isByDueDate = false
  /// Ids of a `.listed` selection, in order; `nil` for any other selection.
  private var listed: ArraySlice<ReceiptID>?

  /// Selects receipts that have data to send; `.due` and `.all` exclude dead receipts.
  ///
  /// - Parameter now: Start of the sweep. Receipts that become due later are left to the next sweep, so that
  ///   every sweep ends.
  init(_ selection: SweepSelection, at now: Instant) {
    arguments = [:]
    switch selection {
    case .due:
      condition = "q.next_due_at_ms <= :due"
      arguments["due"] = now
      isByDueDate = true
    case .all: condition = "q.has_contents AND q.dead_reason IS NULL"
    case .dead: condition = "q.dead_reason IS NOT NULL AND q.has_contents"
    case .user(let user):
      // The index of users, which SQLite should use, excludes receipts without a user.
      condition = "q.app_user_id = :user AND q.app_user_id <> '' AND q.has_contents"
      arguments["user"] = user
    case .receipt(let id):
      condition = "q.has_contents AND q.id = :receipt"
      arguments["receipt"] = id
    case .chain(let original):
      condition = """
        q.has_contents AND q.id IN (SELECT k.receipt_id FROM chains c JOIN receipt_chains k ON k.chain_id = c.id
          WHERE c.original_transaction_id = :chain)
        """
      arguments["chain"] = original
    case .listed(let receipts):
      condition = "q.has_contents"
      listed = receipts.ids[...]
    }
  }

  /// Excludes leased receipts, except those of `killed` sweeps.
  mutating func leaveOutHeld(at now: Instant, killed: [SweepID]) {
    condition +=
      " AND NOT EXISTS (SELECT 1 FROM leases e WHERE e.receipt_id = q.id AND \(Self.isHeld(killed)))"
    arguments["now"] = now
  }

  /// Returns the condition for a lease `e` at `:now`: not expired, not of the future or of a killed sweep.
  static func isHeld(_ killed: [SweepID]) -> String {
    let others = killed.map(\.description).joined(separator: ", ")
    return
      "e.until_ms > :now AND e.renewed_at_ms <= :now + \(Milliseconds.minute) AND e.sweep_id NOT IN (\(others))"
  }

  mutating func leaveOutChecked(since started: Instant, by now: Instant) {
    condition += " AND NOT ifnull(q.last_checked_at_ms > :started AND q.last_checked_at_ms <= :checked, 0)"
    arguments["started"] = started
    arguments["checked"] = now
  }

  /// Maximum number of ids in one statement.
  private static let stretch = 1000

  /// Selections that together make up this one, in order: itself, or the parts of a list.
  var parts: [SelectedReceipts] {
    guard let listed else { return [self] }
    return stride(from: listed.startIndex, to: listed.endIndex, by: Self.stretch).map { start in
      var part = self
      let ids = listed[start...].prefix(Self.stretch)
      part.condition += " AND q.id IN (SELECT value FROM json_each(:listed))"
      part.arguments["listed"] = "[\(ids.map(\.description).joined(separator: ","))]"
      return part
    }
  }

  mutating func goOn(after cursor: ClaimCursor) {
    listed = listed.map { $0.drop { $0 <= cursor.id } }
    arguments["id"] = cursor.id
    guard isByDueDate, let due = cursor.due else {
      condition += " AND q.id > :id"
      return
    }
    condition += " AND (q.next_due_at_ms, q.id) > (:after, :id)"
    arguments["after"] = due
  }

  var order: String { isByDueDate ? "q.next_due_at_ms, q.id" : "q.id" }
}
