/// Published rate: units of a currency for one unit of the base, from a day on.
public struct PublishedRate: Hashable, Sendable {
  public var base: CurrencyCode
  public var currency: CurrencyCode
  /// Days since 1970 (UTC).
  public var day: Int
  /// Rate times 10¹²; `nil` if the publisher declares that there is none.
  public var picos: Int64?

  public static let one: Int64 = 1_000_000_000_000

  public init(base: CurrencyCode, currency: CurrencyCode, day: Int, picos: Int64?) {
    self.base = base
    self.currency = currency
    self.day = day
    self.picos = picos
  }
}

/// Rate between two currencies, both given per unit of a third, as central banks publish them.
public struct ExchangeRate: Hashable, Sendable {
  /// Units of the amount's currency for one unit of the base, times 10¹². Greater than 0.
  let from: Int64
  /// Units of the target currency for one unit of the base, times 10¹².
  let to: Int64

  static let same = ExchangeRate(from: PublishedRate.one, to: PublishedRate.one)

  /// Returns an amount in the target currency, in micros, rounded half to even.
  ///
  /// - Parameter micros: Amount that fits 64 bits, so that its product with a rate fits 128.
  public func converted(_ micros: Int128) -> Int128 {
    from == to ? micros : roundedHalfToEven(micros * Int128(to), over: Int128(from))
  }
}
