/// A rate as it was published: so many units of a currency for one unit of the base, from a day on.
public struct PublishedRate: Hashable, Sendable {
  public var base: CurrencyCode
  public var currency: CurrencyCode
  /// UTC, in days since 1970.
  public var day: Int
  /// In millionths of millionths of a unit; nil where the publisher says that there is none.
  public var picos: Int64?

  /// One unit.
  public static let one: Int64 = 1_000_000_000_000

  public init(base: CurrencyCode, currency: CurrencyCode, day: Int, picos: Int64?) {
    self.base = base
    self.currency = currency
    self.day = day
    self.picos = picos
  }
}

/// What an amount of one currency is in another: both are told per unit of a third, as central banks publish them.
public struct ExchangeRate: Hashable, Sendable {
  /// Of the amount's own currency for a unit of the base; more than 0.
  let from: Int64
  /// The same of the other.
  let to: Int64

  static let same = ExchangeRate(from: PublishedRate.one, to: PublishedRate.one)

  /// Micros to micros, halves to even.
  ///
  /// - Parameter micros: of one amount, no wider than 64 bits, so that its product with a rate is none wider than 128.
  public func converted(_ micros: Int128) -> Int128 {
    from == to ? micros : roundedHalfToEven(micros * Int128(to), over: Int128(from))
  }
}
