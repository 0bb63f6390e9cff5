import Subscriptions

/// A row of a customer's history, by when it was modified last: a refund or an upgrade moves it to the end.
struct HistoryRow: Sendable {
  let row: LifeRow
  let modified: Instant

  /// Nil before the row is shown.
  init?(_ row: LifeRow, at t: Instant) {
    guard let modified = row.lastChange(upTo: t) else { return nil }
    (self.row, self.modified) = (row, modified)
  }

  var revision: Revision {
    Revision(modified: modified, transactionID: row.transaction.transactionID.rawValue)
  }

  /// Those modified at one time are in the order of their ids.
  static func inOrder(_ left: Self, _ right: Self) -> Bool { left.revision < right.revision }
}

extension Revision: Comparable {
  /// Ids of one customer have the same length.
  static func < (left: Self, right: Self) -> Bool {
    (left.modified, left.transactionID) < (right.modified, right.transactionID)
  }
}

extension Life {
  /// Everything that is shown at an instant, the longest unchanged first.
  func history(at t: Instant) -> [HistoryRow] {
    rows.compactMap { HistoryRow($0, at: t) }.sorted(by: HistoryRow.inOrder)
  }
}

extension LifeRow {
  /// Whether the row stood at this instant as it had just become.
  func changed(at t: Instant) -> Bool { lastChange(upTo: t) == t }
}
