/// Duration of a subscription in ISO 8601: `P3D`, `P1W`, `P1M`, `P1Y`.
public struct Period: Hashable, Sendable, Comparable, Codable {
  public enum Unit: Character, Sendable, CaseIterable {
    case day = "D"
    case week = "W"
    case month = "M"
    case year = "Y"
  }

  public let count: Int
  public let unit: Unit

  public init(_ count: Int, _ unit: Unit) { (self.count, self.unit) = (count, unit) }

  public init?(parsing text: String) {
    guard text.first == "P", let last = text.last, let unit = Unit(rawValue: last),
      let count = Int(text.dropFirst().dropLast()), (1...1000).contains(count)
    else { return nil }
    self.init(count, unit)
  }

  /// Creates the Apple duration that is nearest to the length of a row (METRICS §4, Period of a row).
  public init(nearest milliseconds: Int64) {
    let month = 487 * Milliseconds.day / 16
    let all: [(period: Period, length: Int64)] =
      [(Period(3, .day), 3 * Milliseconds.day), (Period(1, .week), 7 * Milliseconds.day)]
      + [1, 2, 3, 6].map { (Period($0, .month), Int64($0) * month) } + [(Period(1, .year), 12 * month)]
    let nearest = all.min { abs($0.length - milliseconds) < abs($1.length - milliseconds) }
    self = nearest?.period ?? Period(1, .month)
  }

  public var iso8601: String { "P\(count)\(unit.rawValue)" }

  /// Factor that converts a price to a month of 30.4375 = 487/16 days (METRICS §4, MRR).
  var monthlyShare: (numerator: Int128, denominator: Int128) {
    let n = Int128(count)
    return switch unit {
    case .day: (487, 16 * n)
    case .week: (487, 16 * 7 * n)
    case .month: (1, n)
    case .year: (1, 12 * n)
    }
  }

  public func monthlyMicros(ofPrice micros: Int64) -> Int64 {
    let (numerator, denominator) = monthlyShare
    return Int64(clamping: roundedHalfToEven(Int128(micros) * numerator, over: denominator))
  }

  public static func < (left: Self, right: Self) -> Bool {
    let (a, b) = (left.monthlyShare, right.monthlyShare)
    return a.numerator * b.denominator > b.numerator * a.denominator
  }

  /// `1 month`, `3 days`.
  public var words: String { "\(count) \(unit)\(count == 1 ? "" : "s")" }

  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let period = Period(parsing: text) else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
    }
    self = period
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(iso8601)
  }
}
