/// Conversion of a row's amounts to the reporting currency.
public enum Conversion: Hashable, Sendable {
  /// No reporting currency, or no price.
  case none
  /// No rate is known for the day of the purchase.
  case unknown
  case at(ExchangeRate)

  /// Returns the amount in the reporting currency; a result over `Money.largestAmount` counts as unconverted.
  public func of(_ micros: some BinaryInteger) -> Converted {
    guard case .at(let rate) = self else { return self == .none ? Converted() : Converted(unconverted: 1) }
    let converted = rate.converted(Int128(micros))
    return converted.magnitude > Money.largestAmount
      ? Converted(unconverted: 1) : Converted(micros: converted)
  }
}

/// Sum in the reporting currency, and the number of rows without a rate, which the sum does not include.
public struct Converted: LedgerSum {
  public var micros: Int128
  public var unconverted: Int64

  public init() { self.init(micros: 0) }

  public init(micros: Int128 = 0, unconverted: Int64 = 0) {
    (self.micros, self.unconverted) = (micros, unconverted)
  }

  public var known: Int128? { micros == 0 && unconverted > 0 ? nil : micros }

  public mutating func add(_ other: Converted, times sign: Int64) {
    micros += Int128(sign) * other.micros
    unconverted &+= sign &* other.unconverted
  }
}

/// Published rate: units of a currency for one unit of the base, from a day on.
public struct PublishedRate: Hashable, Sendable {
  public var base: CurrencyCode
  public var currency: CurrencyCode
  /// Days since 1970 (UTC).
  public var day: Int
  /// Rate times 10¹²; `nil` if the publisher declares that the currency has no rate.
  public var picos: Int64?

  public static let one: Int64 = 1_000_000_000_000

  public init(base: CurrencyCode, currency: CurrencyCode, day: Int, picos: Int64?) {
    (self.base, self.currency, self.day, self.picos) = (base, currency, day, picos)
  }
}

/// Rate between two currencies, as the rates of both per unit of a third currency, the base.
public struct ExchangeRate: Hashable, Sendable {
  /// Units of the amount's currency for one unit of the base, times 10¹²; greater than 0.
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

extension CurrencyCode {
  public init?(iso4217 text: String) {
    guard text.utf8.count == 3, text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else { return nil }
    self.init(rawValue: text)
  }
}
