/// Conversion of a row's amounts to the reporting currency.
public enum Conversion: Hashable, Sendable {
  /// No reporting currency, or no price.
  case none
  /// No rate is known for the day of the purchase.
  case unknown
  case at(ExchangeRate)

  /// Returns an amount in the reporting currency. Over `Money.largestAmount` it counts as unconverted.
  public func of(_ micros: some BinaryInteger) -> Converted {
    guard case .at(let rate) = self else { return self == .none ? Converted() : Converted(unconverted: 1) }
    let converted = rate.converted(Int128(micros))
    return converted.magnitude > Money.largestAmount
      ? Converted(unconverted: 1) : Converted(micros: converted)
  }
}

/// Sum in the reporting currency, and the number of rows that have no rate and add nothing to it.
public struct Converted: LedgerSum {
  public var micros: Int128
  public var unconverted: Int64

  public init() { self.init(micros: 0) }

  public init(micros: Int128 = 0, unconverted: Int64 = 0) {
    self.micros = micros
    self.unconverted = unconverted
  }

  /// The sum, or `nil` if nothing could be converted.
  public var known: Int128? { micros == 0 && unconverted > 0 ? nil : micros }

  public static func += (left: inout Converted, right: Converted) {
    left.micros += right.micros
    left.unconverted &+= right.unconverted
  }

  public static prefix func - (sum: Converted) -> Converted {
    Converted(micros: 0 - sum.micros, unconverted: 0 &- sum.unconverted)
  }
}
