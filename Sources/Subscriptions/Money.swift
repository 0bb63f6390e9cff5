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

/// A total for each currency; empty where nothing was added, which is not the same as a total of zero.
public struct Amounts: Hashable, Sendable {
  private var micros: [CurrencyCode: Int64] = [:]

  public init() {}

  public init(_ amounts: [Money]) {
    for amount in amounts { add(amount) }
  }

  /// Sorted by currency.
  public var totals: [Money] {
    micros.sorted { $0.key < $1.key }.map { Money(micros: $0.value, currency: $0.key) }
  }

  public var isEmpty: Bool { micros.isEmpty }

  public subscript(currency: CurrencyCode) -> Int64? { micros[currency] }

  /// Adds to the currency's total, which stops at the ends of `Int64`.
  public mutating func add(_ amount: Money, times count: Int = 1) {
    let old = micros[amount.currency, default: 0]
    micros[amount.currency] = Int64(clamping: Int128(old) + Int128(amount.micros) * Int128(count))
  }
}

extension Amounts: Encodable {
  private struct Amount: Encodable {
    let currency: String
    let amountMicros: Int64
  }

  /// A list of `{currency, amount_micros}`, sorted by currency.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for total in totals {
      try container.encode(Amount(currency: total.currency.rawValue, amountMicros: total.micros))
    }
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
