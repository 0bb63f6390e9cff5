/// A total for each currency; empty where nothing was added, which is not the same as a total of zero. Where there is a reporting
/// currency, with what each total was worth in it.
public struct Amounts: Hashable, Sendable {
  private var micros: [CurrencyCode: Int64] = [:]
  private var converted: [CurrencyCode: Converted] = [:]
  /// Nil where there is none.
  public let reporting: CurrencyCode?

  public init(in reporting: CurrencyCode? = nil) { self.reporting = reporting }

  public init(_ amounts: [Money]) {
    self.init()
    for amount in amounts { add(amount) }
  }

  /// Sorted by currency.
  public var totals: [Money] {
    micros.sorted { $0.key < $1.key }.map { Money(micros: $0.value, currency: $0.key) }
  }

  public var isEmpty: Bool { micros.isEmpty }

  public subscript(currency: CurrencyCode) -> Int64? { micros[currency] }

  /// Adds to the currency's total, which stops at the ends of `Int64`.
  ///
  /// - Parameter converted: the same in the reporting currency; left out of account where there is none.
  public mutating func add(_ amount: Money, times count: Int = 1, _ converted: Converted = Converted()) {
    let old = micros[amount.currency, default: 0]
    micros[amount.currency] = Int64(clamping: Int128(old) + Int128(amount.micros) * Int128(count))
    guard reporting != nil else { return }
    let before = self.converted[amount.currency] ?? Converted()
    self.converted[amount.currency] = Converted(
      micros: Int64(clamping: Int128(before.micros) + Int128(converted.micros)),
      unconverted: before.unconverted + converted.unconverted)
  }

  /// Each total so many times.
  public func times(_ count: Int64) -> Amounts {
    func times(_ micros: Int64) -> Int64 { Int64(clamping: Int128(micros) * Int128(count)) }
    var amounts = self
    amounts.micros = micros.mapValues(times)
    amounts.converted = converted.mapValues {
      Converted(micros: times($0.micros), unconverted: $0.unconverted)
    }
    return amounts
  }
}

extension Amounts {
  /// What the total of a currency was worth in the reporting currency; nil where nothing of it could be converted.
  public func converted(_ currency: CurrencyCode) -> Int64? { converted[currency]?.known }

  /// All of it in the reporting currency, but for what has no rate; nil where there is no such currency, or nothing to be told in it.
  public var inReportingCurrency: Money? {
    guard let reporting else { return nil }
    let known = converted.values.compactMap(\.known)
    guard !known.isEmpty else { return nil }
    return Money(micros: Int64(clamping: known.reduce(Int128(0)) { $0 + Int128($1) }), currency: reporting)
  }

  /// Rows that had no rate.
  public var unconverted: Int { converted.values.reduce(0) { $0 + Int(clamping: $1.unconverted) } }
}

extension Amounts: Encodable {
  private enum CodingKeys: String, CodingKey {
    case currency, amountMicros, convertedMicros
  }

  /// A list of `{currency, amount_micros}`, sorted by currency; with `converted_micros` where there is a reporting currency.
  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for total in totals {
      var amount = list.nestedContainer(keyedBy: CodingKeys.self)
      try amount.encode(total.currency.rawValue, forKey: .currency)
      try amount.encode(total.micros, forKey: .amountMicros)
      guard reporting != nil else { continue }
      try amount.encode(converted(total.currency), forKey: .convertedMicros)
    }
  }
}
