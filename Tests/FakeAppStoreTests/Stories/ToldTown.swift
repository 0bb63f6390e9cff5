import FakeAppStore
import Subscriptions

/// A population with stories, and the instant that it is looked at.
enum ToldTown {
  static let founded = Town.now
  static let population = FakePopulation(subscribers: 3000, seed: 1, founded: founded, stories: true)
  static let store = FakeStore(population: population)
  static let stories = Stories(founded: founded)
  /// Of production, who pay for themselves: with those who come in the months after.
  static let people = (0..<population.count).map {
    Person(population[$0], at: founded + 120 * Milliseconds.day)
  }
  .filter { $0.subscriber.environment == .production && !$0.isFamily }

  static let rows = people.flatMap(\.rows)

  /// When each came: the first period that is not somebody else's.
  static let starts = people.compactMap { $0.rows.map(\.purchase).min() }

  static func days(_ first: Int64, _ last: Int64) -> Range<Instant> {
    founded + first * Milliseconds.day..<founded + last * Milliseconds.day
  }

  static func started(_ first: Int64, _ last: Int64) -> Int {
    starts.count { days(first, last).contains($0) }
  }

  static func refunds(in span: Range<Instant>, reason: String) -> Int {
    rows.count { row in
      row.isRefund && row.transaction.cancellationReason == reason
        && row.refundedAt.map(span.contains) == true
    }
  }

  /// How many of those who paid stand in grace or billing retry.
  static func troubled(at t: Instant) -> Int {
    people.count { person in
      let then = Person(person.subscriber, at: t)
      return then.verdicts.contains {
        ($0.state == .grace || $0.state == .billingRetry) && $0.current.kind != .trial
      }
    }
  }
}
