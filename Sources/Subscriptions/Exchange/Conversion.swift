/// What becomes of the amounts of a row in the reporting currency.
public enum Conversion: Hashable, Sendable {
  /// There is no reporting currency, or the row has no price.
  case none
  /// No rate is known of the day that the row was bought on.
  case unknown
  case at(ExchangeRate)

  public func of(_ micros: Int64) -> Converted {
    switch self {
    case .none: Converted()
    case .unknown: Converted(unconverted: 1)
    case .at(let rate): Converted(micros: rate.converted(micros))
    }
  }
}

/// A sum in the reporting currency, and how many rows had no rate and add nothing to it. Sums wrap around, so that what was added can
/// be taken off again.
public struct Converted: LedgerSum {
  /// Of the reporting currency.
  public var micros: Int64
  public var unconverted: Int64

  public init() { self.init(micros: 0) }

  public init(micros: Int64 = 0, unconverted: Int64 = 0) {
    self.micros = micros
    self.unconverted = unconverted
  }

  /// Nil where nothing of it could be converted.
  public var known: Int64? { micros == 0 && unconverted > 0 ? nil : micros }

  public static func += (left: inout Converted, right: Converted) {
    left.micros &+= right.micros
    left.unconverted &+= right.unconverted
  }

  public static prefix func - (sum: Converted) -> Converted {
    Converted(micros: 0 &- sum.micros, unconverted: 0 &- sum.unconverted)
  }
}
