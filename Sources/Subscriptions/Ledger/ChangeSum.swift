/// Number of lines with the sum of their monthly prices, or number of rows with the sum of their amounts.
public struct RowSum: LedgerSum {
  public var rows: Int64
  public var micros: Int128
  public var converted: Converted

  public init() { self.init(rows: 0) }

  public init(rows: Int64 = 0, micros: Int128 = 0, converted: Converted = Converted()) {
    (self.rows, self.micros, self.converted) = (rows, micros, converted)
  }

  public mutating func add(_ other: RowSum, times sign: Int64) {
    rows &+= sign &* other.rows
    micros += Int128(sign) * other.micros
    converted.add(other.converted, times: sign)
  }
}

extension Amounts {
  /// Creates amounts from sums by currency, ignoring sums without a currency or without rows.
  init(_ sums: [CurrencyCode?: RowSum], in reporting: CurrencyCode?) {
    self.init(in: reporting)
    for (currency, sum) in sums where sum.rows != 0 {
      if let currency { add(Money(micros: sum.micros, currency: currency), sum.converted) }
    }
  }
}

/// Sum of the changes of one class.
///
/// The sums in the reporting currency also contain renewals at the same price but another exchange rate.
/// These are not changes, so `lines` does not count them.
public struct ChangeSum: LedgerSum {
  public var lines: Int64
  /// Sum of the monthly prices before the changes, in micros of the old class's currency.
  public var monthlyBefore: Int128
  public var monthlyAfter: Int128
  public var convertedBefore: Converted
  public var convertedAfter: Converted

  public init() { self.init(lines: 0) }

  public init(
    lines: Int64 = 0, monthlyBefore: Int128 = 0, monthlyAfter: Int128 = 0,
    convertedBefore: Converted = Converted(), convertedAfter: Converted = Converted()
  ) {
    (self.lines, self.monthlyBefore, self.monthlyAfter) = (lines, monthlyBefore, monthlyAfter)
    (self.convertedBefore, self.convertedAfter) = (convertedBefore, convertedAfter)
  }

  public mutating func add(_ other: ChangeSum, times sign: Int64) {
    lines &+= sign &* other.lines
    monthlyBefore += Int128(sign) * other.monthlyBefore
    monthlyAfter += Int128(sign) * other.monthlyAfter
    convertedBefore.add(other.convertedBefore, times: sign)
    convertedAfter.add(other.convertedAfter, times: sign)
  }

  var before: RowSum { RowSum(rows: lines, micros: monthlyBefore, converted: convertedBefore) }
  var after: RowSum { RowSum(rows: lines, micros: monthlyAfter, converted: convertedAfter) }
}
