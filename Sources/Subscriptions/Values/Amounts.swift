/// Totals by currency; the total of a currency without amounts is `nil`, not 0.
public struct Amounts: Hashable, Sendable, Encodable {
  private var micros: [CurrencyCode: Int128] = [:]
  private var converted: [CurrencyCode: Converted] = [:]
  public let reporting: CurrencyCode?

  public init(in reporting: CurrencyCode? = nil) { self.reporting = reporting }

  public init(_ amounts: [Money]) {
    self.init()
    for amount in amounts { add(amount) }
  }

  public var totals: [Money] {
    micros.sorted { $0.key < $1.key }.map { Money(micros: $0.value, currency: $0.key) }
  }

  public var isEmpty: Bool { micros.isEmpty }

  public subscript(currency: CurrencyCode) -> Int128? { micros[currency] }

  public mutating func add(_ amount: Money, times count: Int = 1, _ converted: Converted = Converted()) {
    micros[amount.currency, default: 0] += amount.micros * Int128(count)
    guard reporting != nil else { return }
    self.converted[amount.currency, default: Converted()] += converted
  }

  public static func + (left: Amounts, right: Amounts) -> Amounts {
    var sum = Amounts(in: left.reporting ?? right.reporting)
    sum.micros = left.micros.merging(right.micros, uniquingKeysWith: +)
    sum.converted = left.converted
    for (currency, amount) in right.converted { sum.converted[currency, default: Converted()] += amount }
    return sum
  }

  public func times(_ count: Int64) -> Amounts {
    var amounts = self
    amounts.micros = micros.mapValues { $0 * Int128(count) }
    amounts.converted = converted.mapValues {
      Converted(micros: $0.micros * Int128(count), unconverted: $0.unconverted)
    }
    return amounts
  }

  public func converted(_ currency: CurrencyCode) -> Int128? { converted[currency]?.known }

  /// Converted total of all currencies, without amounts that have no rate; `nil` if nothing is converted.
  public var inReportingCurrency: Money? {
    guard let reporting else { return nil }
    let known = converted.values.compactMap(\.known)
    guard !known.isEmpty else { return nil }
    return Money(micros: known.reduce(0, +), currency: reporting)
  }

  public var unconverted: Int { converted.values.reduce(0) { $0 + Int(clamping: $1.unconverted) } }

  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for total in totals {
      var amount = list.nestedContainer(keyedBy: NameKey.self)
      try amount.encode(total.currency.rawValue, forKey: "currency")
      try amount.encode(total.micros, forKey: "amountMicros")
      guard reporting != nil else { continue }
      try amount.encode(converted(total.currency), forKey: "convertedMicros")
    }
  }
}
