/// An ISO 4217 currency code, upper case.
public struct CurrencyCode: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// An amount in one currency. Amounts in different currencies are never added.
public struct Money: Hashable, Sendable {
  /// Millionths of a currency unit.
  public let micros: Int64
  public let currency: CurrencyCode

  public init(micros: Int64, currency: CurrencyCode) {
    self.micros = micros
    self.currency = currency
  }
}

/// `numerator / denominator` to the nearest whole number, halves to even: how every derived amount is rounded.
///
/// - Precondition: the denominator is positive.
public func roundedHalfToEven(_ numerator: Int128, over denominator: Int128) -> Int64 {
  let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
  let twice = remainder.magnitude * 2
  let half = denominator.magnitude
  let awayFromZero = twice > half || (twice == half && quotient % 2 != 0)
  let rounded = awayFromZero ? quotient + (numerator < 0 ? -1 : 1) : quotient
  return Int64(clamping: rounded)
}
