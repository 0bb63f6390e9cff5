import Subscriptions

/// Position of a client in a history: the last row that it has read, and the date of the row's last change.
struct Revision: Hashable, Sendable {
  let modified: Instant
  let transactionID: String

  var text: String { "\(modified.rawValue)_\(transactionID)" }
}

extension Revision: Comparable {
  init?(_ text: String) {
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 2, let milliseconds = Int64(parts[0]), milliseconds >= 0 else { return nil }
    self.init(modified: Instant(milliseconds: milliseconds), transactionID: String(parts[1]))
  }

  /// Compares dates, then ids as text; all ids of a customer have the same length.
  static func < (left: Self, right: Self) -> Bool {
    (left.modified, left.transactionID) < (right.modified, right.transactionID)
  }
}

extension Life {
  /// Returns the visible rows, least recently changed first; a refund or an upgrade moves a row to the end.
  func history(at t: Instant) -> [(row: LifeRow, revision: Revision)] {
    rows.compactMap { row in
      row.lastChange(upTo: t).map {
        (row, Revision(modified: $0, transactionID: row.transaction.transactionID.rawValue))
      }
    }.sorted { $0.revision < $1.revision }
  }
}
