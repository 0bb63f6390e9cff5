/// What becomes of the amounts of a row in the reporting currency.
public enum Conversion: Hashable, Sendable {
  /// There is no reporting currency, or the row has no price.
  case none
  /// No rate is known of the day that the row was bought on.
  case unknown
  case at(ExchangeRate)

  /// One amount of the row. If the result is over `Money.largestAmount`, it is unknown.
  public func of(_ micros: some BinaryInteger) -> Converted {
    guard case .at(let rate) = self else { return self == .none ? Converted() : Converted(unconverted: 1) }
    let converted = rate.converted(Int128(micros))
    return converted.magnitude > Money.largestAmount
      ? Converted(unconverted: 1) : Converted(micros: converted)
  }
}

/// A sum in the reporting currency, and how many rows had no rate and add nothing to it.
public struct Converted: LedgerSum {
  /// Of the reporting currency.
  public var micros: Int128
  public var unconverted: Int64

  public init() { self.init(micros: 0) }

  public init(micros: Int128 = 0, unconverted: Int64 = 0) {
    self.micros = micros
    self.unconverted = unconverted
  }

  /// Nil where nothing of it could be converted.
  public var known: Int128? { micros == 0 && unconverted > 0 ? nil : micros }

  public static func += (left: inout Converted, right: Converted) {
    left.micros += right.micros
    left.unconverted &+= right.unconverted
  }

  public static prefix func - (sum: Converted) -> Converted {
    Converted(micros: 0 - sum.micros, unconverted: 0 &- sum.unconverted)
  }
}
