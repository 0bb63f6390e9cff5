/// How many, and how much in a currency, wider than any total: amounts of which there are a great many do not wrap around.
struct WideSum: Sendable {
  var rows: Int64 = 0
  var micros: Int128 = 0
  var converted = Converted()

  static func += (left: inout WideSum, right: WideSum) {
    left.rows += right.rows
    left.micros += right.micros
    left.converted += right.converted
  }

  /// Adds what a figure counts of facts.
  mutating func add(_ sum: FactSum, as unit: CountedFact.Unit) {
    rows += sum.count
    switch unit {
    case .rows: break
    case .amount:
      micros += sum.micros
      converted += sum.converted
    case .sale(let price):
      micros += Int128(price) * Int128(sum.count)
      converted += sum.converted
    case .proceeds(let proceeds, let commission):
      micros += Int128(proceeds) * Int128(sum.count)
      converted += Converted(
        micros: sum.proceeds.after(commission), unconverted: sum.converted.unconverted)
    }
  }
}

extension Amounts {
  mutating func add(_ sum: WideSum, in currency: CurrencyCode) {
    add(Money(micros: sum.micros, currency: currency), sum.converted)
  }
}
