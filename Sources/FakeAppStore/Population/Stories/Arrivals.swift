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

/// When customers come, where there are stories: more in January, September and around Black Friday, and a little more each year.
enum Seasons {
  /// Days before the founding in which the first customers came.
  static let days = 1095
  private static let most = 2.6

  /// How many come on a day, next to a quiet one.
  static func weight(of day: CivilDate) -> Double {
    switch day.month {
    case 1: return 1.7
    case 9: return 1.35
    case 11 where isAroundBlackFriday(day): return most
    default: return 1
    }
  }

  /// From the Thursday before the fourth Friday on, to the Monday after: *Black Friday* follows the fourth Thursday of November.
  private static func isAroundBlackFriday(_ day: CivilDate) -> Bool {
    let first = day.daysSince1970 - day.day + 1
    // Thursday is 4, and 1970-01-01 was one.
    let thursday = first + (7 - first % 7) % 7 + 21
    return (thursday...thursday + 4).contains(day.daysSince1970)
  }

  private static func weight(_ back: Int64, before founded: Instant) -> Double {
    let growth = 1 - 0.35 * Double(back) / Double(Int64(days) * Milliseconds.day)
    return growth * weight(of: (founded - back).civilDate)
  }

  /// Milliseconds before the founding at which somebody came.
  static func age(_ founded: Instant, _ random: inout SplitMix64) -> Int64 {
    var age: Int64 = 0
    // Of so many tries one is kept, for certain.
    for _ in 0..<100 {
      age = random.between(Milliseconds.minute, Int64(days) * Milliseconds.day)
      if random.chance(weight(age, before: founded) / most) { break }
    }
    return age
  }

  /// How many of a thousand came on each day of the four weeks before the founding. So many go on coming, without seasons: the
  /// figures of a demonstration stay what they are however long it runs.
  static func recentPerMille(before founded: Instant) -> Double {
    let weights = (0..<days).map { weight(Int64($0) * Milliseconds.day, before: founded) }
    return 1000 * weights.prefix(28).reduce(0, +) / 28 / weights.reduce(0, +)
  }
}
