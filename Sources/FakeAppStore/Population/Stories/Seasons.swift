import Subscriptions

/// Dates of arrivals with stories: more in January, September and around Black Friday, and growing over the
/// years.
enum Seasons {
  /// Days before the founding in which customers arrived.
  static let days = 1095
  private static let most = 2.6

  /// Relative number of arrivals on a day; 1 for a quiet one.
  static func weight(of day: CivilDate) -> Double {
    switch day.month {
    case 1: return 1.7
    case 9: return 1.35
    case 11 where isAroundBlackFriday(day): return most
    default: return 1
    }
  }

  /// Whether the day is between the fourth Thursday of November, the day before Black Friday, and the Monday
  /// after.
  private static func isAroundBlackFriday(_ day: CivilDate) -> Bool {
    let first = day.daysSince1970 - day.day + 1
    // 1970-01-01 was a Thursday.
    let thursday = first + (7 - first % 7) % 7 + 21
    return (thursday...thursday + 4).contains(day.daysSince1970)
  }

  private static func weight(_ back: Int64, before founded: Instant) -> Double {
    let growth = 1 - 0.35 * Double(back) / Double(Int64(days) * Milliseconds.day)
    return growth * weight(of: (founded - back).civilDate)
  }

  /// Returns a random number of milliseconds before the founding at which a customer arrived.
  static func age(_ founded: Instant, _ random: inout SplitMix64) -> Int64 {
    var age: Int64 = 0
    // Rejection sampling; a hundred attempts practically always suffice.
    for _ in 0..<100 {
      age = random.between(Milliseconds.minute, Int64(days) * Milliseconds.day)
      if random.chance(weight(age, before: founded) / most) { break }
    }
    return age
  }

  /// Average daily arrivals in the four weeks before the founding, per thousand customers. Later arrivals
  /// keep this rate without seasons, so that the figures of a demonstration remain stable.
  static func recentPerMille(before founded: Instant) -> Double {
    let weights = (0..<days).map { weight(Int64($0) * Milliseconds.day, before: founded) }
    return 1000 * weights.prefix(28).reduce(0, +) / 28 / weights.reduce(0, +)
  }
}
