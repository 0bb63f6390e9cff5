/// Upcoming renewals by date (METRICS §5, Due).
///
/// Sums are by quarter of an hour, because the offset of every time zone is a multiple of 15 minutes.
public struct RenewalForecast: Hashable, Sendable {
  /// Day, with the number of periods that end, and the amount expected from periods with auto-renew on.
  public typealias Day = (name: String, lines: Int, expected: Amounts)

  private static let length = 15 * Milliseconds.minute
  private let reporting: CurrencyCode?
  private var sums: [Int64: [CurrencyCode?: RowSum]] = [:]

  public init(in reporting: CurrencyCode?) { self.reporting = reporting }

  public mutating func add(_ renewal: Fact, at expires: Instant) {
    let quarter = flooredQuotient(expires.rawValue, over: Self.length)
    let sum = renewal.sum
    sums[quarter, default: [:]][renewal.kind.currency, default: RowSum()] += RowSum(
      rows: sum.count, micros: sum.micros, converted: sum.converted)
  }

  /// Returns every day from `t` to the end of the horizon, including days without renewals, sorted by name.
  public func days(after t: Instant, _ horizon: DueHorizon, _ name: (Instant) -> String) -> [Day] {
    var days: [String: [CurrencyCode?: RowSum]] = [:]
    // Steps of half a day reach every day, because a day may have only 23 hours.
    for half in 0...Int64(2 * horizon.days) { days[name(t + half * Milliseconds.day / 2)] = [:] }
    for (quarter, sum) in sums {
      days[name(Instant(milliseconds: quarter * Self.length)), default: [:]].merge(sum, uniquingKeysWith: +)
    }
    return days.sorted { $0.key < $1.key }.map { name, sums in
      let lines = sums.values.reduce(0) { $0 + $1.rows }
      return (name, Int(lines), Amounts(sums, in: reporting))
    }
  }
}
