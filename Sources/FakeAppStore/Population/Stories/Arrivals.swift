import Subscriptions

/// Subscribers who arrive after the founding, the same number each day, in the order of their indices.
struct Arrivals: Hashable, Sendable {
  let founded: Instant
  let before: Int
  let perDay: Double

  private static let days = 500.0

  init(after before: Int, founded: Instant) {
    (self.founded, self.before) = (founded, before)
    // 88 % of subscribers arrive by season. The campaign, testers, shoppers and legacy receipts make up 12 %.
    perDay = Double(before) * Seasons.recentPerMille(before: founded) / 1000 * 0.88
  }

  var count: Int { Int((perDay * Self.days).rounded(.up)) }

  func start(of index: Int, _ random: inout SplitMix64) -> Instant? {
    guard index >= before, perDay > 0 else { return nil }
    let days = (Double(index - before) + random.unit()) / perDay
    return (founded + Int64(days * Double(Milliseconds.day))).wholeSecond
  }

  /// Returns a range that contains the indices of all arrivals in a span.
  func indices(in span: Range<Instant>, of count: Int) -> Range<Int> {
    func index(_ at: Instant) -> Int {
      before + Int(max(0, min(Double(at - founded) / Double(Milliseconds.day) * perDay, 1e9)))
    }
    let first = min(max(before, index(span.lowerBound) - 1), count)
    return first..<max(first, min(index(span.upperBound) + 1, count))
  }
}

/// Seasons of first purchases: more in January, in September and around Black Friday, and more each year.
enum Seasons {
  static let days = 1095
  private static let most = 2.6

  /// Returns the number of new customers on a day, relative to a quiet day.
  static func weight(of day: CivilDate) -> Double {
    switch day.month {
    case 1: return 1.7
    case 9: return 1.35
    case 11 where isAroundBlackFriday(day): return most
    default: return 1
    }
  }

  /// Whether the day is from Thanksgiving, the fourth Thursday of November, to the Monday after it.
  private static func isAroundBlackFriday(_ day: CivilDate) -> Bool {
    let first = day.daysSince1970 - day.day + 1
    // Day 0, 1970-01-01, was a Thursday.
    let thursday = first + (7 - first % 7) % 7 + 21
    return (thursday...thursday + 4).contains(day.daysSince1970)
  }

  private static func weight(_ back: Int64, before founded: Instant) -> Double {
    let growth = 1 - 0.35 * Double(back) / Double(Int64(days) * Milliseconds.day)
    return growth * weight(of: (founded - back).civilDate)
  }

  /// Draws the time of an arrival at random, in milliseconds before the founding.
  static func age(_ founded: Instant, _ random: inout SplitMix64) -> Int64 {
    var age: Int64 = 0
    // Rejection sampling. A hundred attempts are practically always enough.
    for _ in 0..<100 {
      age = random.between(Milliseconds.minute, Int64(days) * Milliseconds.day)
      if random.chance(weight(age, before: founded) / most) { break }
    }
    return age
  }

  /// Returns the daily arrivals per thousand subscribers in the last four weeks before the founding.
  ///
  /// Later arrivals keep this rate without seasons, so that a demo's figures do not depend on its duration.
  static func recentPerMille(before founded: Instant) -> Double {
    let weights = (0..<days).map { weight(Int64($0) * Milliseconds.day, before: founded) }
    return 1000 * weights.prefix(28).reduce(0, +) / 28 / weights.reduce(0, +)
  }
}
