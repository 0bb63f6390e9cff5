/// ISO 4217 currency code in upper case.
public struct CurrencyCode: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Amount in one currency, never added to amounts in other currencies.
public struct Money: Hashable, Sendable {
  /// Millionths of a currency unit; 128 bits suffice for any sum.
  public let micros: Int128
  public let currency: CurrencyCode

  public init(micros: some BinaryInteger, currency: CurrencyCode) {
    self.micros = Int128(micros)
    self.currency = currency
  }

  /// Rounds half to even, and clamps to ±2¹⁰⁰ so that the amount can be formatted in every currency.
  public init(rounding micros: Double, currency: CurrencyCode) {
    let widest = 0x1p100
    let within = micros.isNaN ? 0 : min(max(micros.rounded(.toNearestOrEven), -widest), widest)
    self.init(micros: Int128(within), currency: currency)
  }

  /// Micros as 64 bits, which suffice for a price and for amounts derived from one price.
  public var single: Int64 { Int64(clamping: micros) }

  /// Range of imported prices, in micros.
  public static let prices: ClosedRange<Int64> = 0...1_000_000_000_000_000
  /// Maximum amount derived from one price, in micros; a greater converted amount is unknown.
  public static let largestAmount: Int64 = 1 << 55
}

/// Returns `numerator / denominator` rounded half to even, for a positive denominator.
public func roundedHalfToEven(_ numerator: Int128, over denominator: Int128) -> Int128 {
  let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
  let twice = remainder.magnitude * 2
  let half = denominator.magnitude
  let awayFromZero = twice > half || (twice == half && quotient % 2 != 0)
  return awayFromZero ? quotient + (numerator < 0 ? -1 : 1) : quotient
}
