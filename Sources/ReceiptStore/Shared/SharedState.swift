import Subscriptions

/// Part of a team's figures: one store, with the state that it has published.
package struct SharedPart: Hashable, Sendable {
  package var name: String
  package var ordinal: Int64
  /// Number of the part's newest commit.
  package var seq: Int64
  /// Whether the part was published completely at least once.
  package var isReady: Bool
  package var asOf: Instant
  package var numbers: PublishedNumbers

  package init(
    name: String, ordinal: Int64, seq: Int64, isReady: Bool, asOf: Instant, numbers: PublishedNumbers
  ) {
    (self.name, self.ordinal, self.seq, self.isReady) = (name, ordinal, seq, isReady)
    (self.asOf, self.numbers) = (asOf, numbers)
  }

  package func fits(_ other: SharedPart) -> Bool {
    numbers.currency == other.numbers.currency && numbers.rollupVersion == other.numbers.rollupVersion
      && (numbers.currency == nil || numbers.rates == other.numbers.rates)
  }
}

/// Published parts of a team, with the newest commit.
package struct SharedState: Hashable, Sendable {
  package var seq: Int64
  package var parts: [SharedPart]
  /// Server and database, for messages.
  package var place: String

  package init(seq: Int64, parts: [SharedPart], place: String) {
    (self.seq, self.parts, self.place) = (seq, parts, place)
  }

  /// Last millisecond of the last hour that the data of every part covers completely.
  package var at: Instant {
    let first = parts.map(\.asOf).min() ?? .distantPast
    return Instant(
      milliseconds: flooredQuotient(first.rawValue, over: Milliseconds.hour) * Milliseconds.hour - 1)
  }

  /// Reason why the figures of the parts cannot be added up; `nil` if they can.
  package var conflict: String? {
    guard let first = parts.first, let other = parts.first(where: { !$0.fits(first) }) else { return nil }
    return
      "the parts \(first.name) and \(other.name) have different reporting currencies, exchange rates or counting rules, so "
      + "their figures cannot be added up; make them equal and publish again"
  }

  /// Parts with data that is at least an hour older than the data of the newest part.
  package var late: [SharedPart] {
    guard let newest = parts.map(\.asOf).max() else { return [] }
    return parts.filter { newest - $0.asOf >= Milliseconds.hour }
  }

  package var numbers: PublishedNumbers {
    guard var sum = parts.first?.numbers else { return PublishedNumbers() }
    for part in parts.dropFirst().map(\.numbers) {
      (sum.receipts, sum.lines) = (sum.receipts + part.receipts, sum.lines + part.lines)
      (sum.transactions, sum.chains) = (sum.transactions + part.transactions, sum.chains + part.chains)
      (sum.due, sum.dead) = (sum.due + part.due, sum.dead + part.dead)
      sum.firstPurchase = [sum.firstPurchase, part.firstPurchase].compactMap(\.self).min()
      sum.isWhole = sum.isWhole && part.isWhole
    }
    return sum
  }
}
