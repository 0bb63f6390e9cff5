import Subscriptions

/// Who comes after the founding of a population with stories: so many each day, one after the other in the order of their numbers.
struct Arrivals: Hashable, Sendable {
  let founded: Instant
  /// How many are there at the founding.
  let before: Int
  let perDay: Double

  /// Longer than anybody watches a demonstration.
  private static let days = 500.0

  init(after before: Int, founded: Instant) {
    (self.founded, self.before) = (founded, before)
    // Some of those who are there came by the campaign, hold what others pay for, or never subscribed.
    perDay = Double(before) * Seasons.recentPerMille(before: founded) / 1000 * 0.88
  }

  var count: Int { Int((perDay * Self.days).rounded(.up)) }

  /// When somebody comes; nil of who is there at the founding.
  func start(of index: Int, _ random: inout SplitMix64) -> Instant? {
    guard index >= before, perDay > 0 else { return nil }
    let days = (Double(index - before) + random.unit()) / perDay
    return (founded + Int64(days * Double(Milliseconds.day))).wholeSecond
  }

  /// Those who came in a span of time, and some around them.
  func indices(in span: Range<Instant>, of count: Int) -> Range<Int> {
    func index(_ at: Instant) -> Int {
      before + Int(max(0, min(Double(at - founded) / Double(Milliseconds.day) * perDay, 1e9)))
    }
    let first = min(max(before, index(span.lowerBound) - 1), count)
    return first..<max(first, min(index(span.upperBound) + 1, count))
  }
}
