import Subscriptions

/// Identity of a store among the parts of a team's schema.
package struct PublicationState: Hashable, Sendable {
  package var storeID: String
  /// Offset that is added to the numbers of rows.
  package var offset: Int64
  /// Tokens of the last commits on the server, oldest first. Each is recorded before its commit, whose result
  /// may be unknown. A restored backup lacks the newest.
  package var tokens: [String]

  package init(storeID: String, offset: Int64, tokens: [String]) {
    (self.storeID, self.offset, self.tokens) = (storeID, offset, tokens)
  }

  /// Upper bound of a part's row numbers, before the offset is added.
  package static let rowsOfPart: Int64 = 1 << 33
  /// Maximum number of parts. More would overflow the numbers of events.
  package static let mostParts = 60
}

/// Class or shape that the server does not have yet.
package struct UnpublishedClass: Hashable, Sendable {
  package var localID: Int64
  /// Values of the columns, as a JSON array. Positions in a change are those of the server.
  package var key: String
}

/// Key of a row of `sums`.
package struct SumKey: Hashable, Comparable, Sendable {
  package var series: Int
  package var grain: Int
  package var at: Int64

  package init(series: Int, grain: Int, at: Int64) {
    (self.series, self.grain, self.at) = (series, grain, at)
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.series, left.grain, left.at) < (right.series, right.grain, right.at)
  }
}

/// Totals of a store that all its readers need.
package struct PublishedNumbers: Hashable, Sendable {
  package var receipts = 0
  package var lines = 0
  package var transactions = 0
  package var due = 0
  package var dead = 0
  package var chains = 0
  package var firstPurchase: Instant?
  package var currency: CurrencyCode?
  package var rates: Int64 = 0
  package var isWhole = false
  package var rollupVersion = RollupWriter.version

  package init() {}
}
