/// An ISO 4217 currency code, upper case.
public struct CurrencyCode: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// An amount in one currency. Amounts in different currencies are never added.
public struct Money: Hashable, Sendable {
  /// Millionths of a currency unit; as wide as sums of any number of amounts need.
  public let micros: Int128
  public let currency: CurrencyCode

  public init(micros: some BinaryInteger, currency: CurrencyCode) {
    self.micros = Int128(micros)
    self.currency = currency
  }

  /// The nearest whole number of micros. What is wider than any sum is cut, so that it can be written in every currency.
  public init(rounding micros: Double, currency: CurrencyCode) {
    let widest = 0x1p100
    let within = micros.isNaN ? 0 : min(max(micros.rounded(.toNearestOrEven), -widest), widest)
    self.init(micros: Int128(within), currency: currency)
  }

  /// Price, or amount that follows from one, as a column of the store: limits keep it within 64 bits.
  public var single: Int64 { Int64(clamping: micros) }

  /// Prices that are imported, in micros.
  public static let prices: ClosedRange<Int64> = 0...1_000_000_000_000_000
  /// Highest amount that follows from one price, in micros: its share of a month is 31 times the price of one day. A conversion that
  /// is higher is unknown.
  public static let largestAmount: Int64 = 1 << 55
}

/// `numerator / denominator` to the nearest whole number, halves to even: how every derived amount is rounded.
///
/// - Precondition: the denominator is positive.
public func roundedHalfToEven(_ numerator: Int128, over denominator: Int128) -> Int128 {
  let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
  let twice = remainder.magnitude * 2
  let half = denominator.magnitude
  let awayFromZero = twice > half || (twice == half && quotient % 2 != 0)
  return awayFromZero ? quotient + (numerator < 0 ? -1 : 1) : quotient
}
