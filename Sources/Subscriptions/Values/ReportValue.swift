/// Number in a report, with its kind.
public enum ReportValue: Hashable, Sendable, Encodable {
  case count(Double)
  /// Share from 0 to 1, or the difference of two shares.
  case share(Double)
  case amount(Money)

  public enum Kind: String, Hashable, Sendable {
    case count, share, amount
  }

  public var kind: Kind {
    switch self {
    case .count: .count
    case .share: .share
    case .amount: .amount
    }
  }

  /// Value as a number; an amount is in micros.
  public var number: Double {
    switch self {
    case .count(let number), .share(let number): number
    case .amount(let money): Double(money.micros)
    }
  }

  public var currency: CurrencyCode? { if case .amount(let money) = self { money.currency } else { nil } }

  func with(_ number: Double) -> ReportValue {
    switch self {
    case .count: return .count(number)
    case .share: return .share(number)
    case .amount(let money):
      return .amount(Money(rounding: number, currency: money.currency))
    }
  }

  public func less(_ other: ReportValue) -> ReportValue? {
    if case .amount(let one) = self, case .amount(let two) = other {
      guard one.currency == two.currency else { return nil }
      let micros = one.micros - two.micros
      return .amount(Money(micros: micros, currency: one.currency))
    }
    return kind == other.kind ? with(number - other.number) : nil
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .count(let number):
      var container = encoder.singleValueContainer()
      if let whole = Int64(exactly: number) {
        try container.encode(whole)
      } else {
        try container.encode(number)
      }
    case .share(let number):
      var container = encoder.singleValueContainer()
      try container.encode(number)
    case .amount(let money):
      var container = encoder.container(keyedBy: NameKey.self)
      try container.encode(money.currency, forKey: "currency")
      try container.encode(money.micros, forKey: "amountMicros")
    }
  }
}
