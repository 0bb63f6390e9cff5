/// A subscription's duration as the catalogue gives it, in ISO 8601: `P3D`, `P1W`, `P1M`, `P1Y`.
public struct Period: Hashable, Sendable, Comparable {
  public enum Unit: Character, Sendable, CaseIterable {
    case day = "D"
    case week = "W"
    case month = "M"
    case year = "Y"
  }

  public let count: Int
  public let unit: Unit

  public init(_ count: Int, _ unit: Unit) {
    self.count = count
    self.unit = unit
  }

  /// Reads one number and one unit; anything else is nil.
  public init?(parsing text: String) {
    guard text.first == "P", let last = text.last, let unit = Unit(rawValue: last),
      let count = Int(text.dropFirst().dropLast()), (1...1000).contains(count)
    else { return nil }
    self.init(count, unit)
  }

  public var iso8601: String { "P\(count)\(unit.rawValue)" }

  /// What share of a price falls on one month: METRICS §4, MRR. A month is 30.4375 = 487/16 days.
  var monthlyShare: (numerator: Int128, denominator: Int128) {
    let n = Int128(count)
    return switch unit {
    case .day: (487, 16 * n)
    case .week: (487, 16 * 7 * n)
    case .month: (1, n)
    case .year: (1, 12 * n)
    }
  }

  /// The price's share of one month in micros, halves to even.
  public func monthlyMicros(ofPrice micros: Int64) -> Int64 {
    let (numerator, denominator) = monthlyShare
    return roundedHalfToEven(Int128(micros) * numerator, over: denominator)
  }

  public static func < (left: Self, right: Self) -> Bool {
    let (a, b) = (left.monthlyShare, right.monthlyShare)
    return a.numerator * b.denominator > b.numerator * a.denominator
  }
}

extension Period: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(iso8601)
  }
}
