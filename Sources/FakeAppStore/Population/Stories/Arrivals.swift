import Subscriptions

/// Subscribers who come after the founding of a population with stories: a constant number a day, in the
/// order of their indices.
struct Arrivals: Hashable, Sendable {
  let founded: Instant
  /// Number of subscribers at the founding.
  let before: Int
  let perDay: Double

  /// Longer than a demonstration runs.
  private static let days = 500.0

  init(after before: Int, founded: Instant) {
    (self.founded, self.before) = (founded, before)
    // The other 12 % of the subscribers came by the campaign, are family members, or never subscribed.
    perDay = Double(before) * Seasons.recentPerMille(before: founded) / 1000 * 0.88
  }

  var count: Int { Int((perDay * Self.days).rounded(.up)) }

  func start(of index: Int, _ random: inout SplitMix64) -> Instant? {
    guard index >= before, perDay > 0 else { return nil }
    let days = (Double(index - before) + random.unit()) / perDay
    return (founded + Int64(days * Double(Milliseconds.day))).wholeSecond
  }

  /// Returns the indices of arrivals in a span, and a few around them.
  func indices(in span: Range<Instant>, of count: Int) -> Range<Int> {
    func index(_ at: Instant) -> Int {
      before + Int(max(0, min(Double(at - founded) / Double(Milliseconds.day) * perDay, 1e9)))
    }
    let first = min(max(before, index(span.lowerBound) - 1), count)
    return first..<max(first, min(index(span.upperBound) + 1, count))
  }
}
