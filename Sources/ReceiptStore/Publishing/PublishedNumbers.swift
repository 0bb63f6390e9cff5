import Subscriptions

/// Identity of this store on a team's server, with the tokens of its latest commits there.
package struct PublicationState: Hashable, Sendable {
  package var storeID: String
  /// Number that is added to row ids, so that ids of different stores do not collide on the server.
  package var offset: Int64
  /// Tokens of the last commits on the server, oldest first; a restored backup may lack the newest.
  ///
  /// Each token is saved before its commit, because the result of the commit may stay unknown.
  package var tokens: [String]

  package init(storeID: String, offset: Int64, tokens: [String]) {
    (self.storeID, self.offset, self.tokens) = (storeID, offset, tokens)
  }

  /// Upper bound of the row ids of one store, before the offset is added.
  package static let rowsOfPart: Int64 = 1 << 33
  /// Maximum number of stores on a server; more would overflow the ids of events.
  package static let mostParts = 60
}

/// Class or shape that the server does not have yet.
package struct UnpublishedClass: Hashable, Sendable {
  package var localID: Int64
  /// Values of the columns, as a JSON array; the positions of a change are given by their ids on the server.
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

/// Totals and settings of a store, published for its readers.
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
