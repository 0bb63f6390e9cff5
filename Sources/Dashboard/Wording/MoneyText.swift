import Screen
import Subscriptions

/// Money for people: `USD 28,192.34`, with as many decimals as the currency has.
public enum MoneyText {
  public static func of(_ money: Money) -> String {
    "\(money.currency) \(number(of: money))"
  }

  public static func of(micros: some BinaryInteger, _ currency: CurrencyCode) -> String {
    of(Money(micros: micros, currency: currency))
  }

  /// `USD +33.62`, as what is less has its sign.
  static func signed(_ money: Money) -> String {
    "\(money.currency) \(money.micros > 0 ? "+" : "")\(number(of: money))"
  }

  /// The totals side by side, since currencies are never added to each other; or all of it in the reporting currency, where nothing
  /// lacks a rate.
  public static func of(_ amounts: Amounts) -> String {
    let whole = amounts.unconverted == 0 ? converted(amounts) : nil
    return whole ?? amounts.totals.map { of($0) }.joined(separator: ", ")
  }

  /// The same in a few words: of many currencies how many there are.
  static func brief(_ amounts: Amounts) -> String {
    guard amounts.totals.count > fewCurrencies, let count = currencies(amounts) else { return of(amounts) }
    return "money in \(count)"
  }

  /// `3 currencies`; nil where all of it is told in one.
  static func currencies(_ amounts: Amounts) -> String? {
    let count = amounts.totals.count
    if count < 2 || amounts.unconverted == 0 && converted(amounts) != nil { return nil }
    return "\(CountText.of(count)) currencies"
  }

  /// As many as are named one by one.
  static let fewCurrencies = 3

  /// `≈ EUR 1,234.56`, as far as there are rates; nil where there is no reporting currency, or nothing is told in it that is not told already.
  static func converted(_ amounts: Amounts) -> String? {
    guard let total = amounts.inReportingCurrency, amounts.totals.map(\.currency) != [total.currency] else {
      return nil
    }
    return about(total)
  }

  /// `≈ EUR 1,234.56`
  static func about(_ total: Money) -> String { "\(GlyphSet.unicode.about) \(of(total))" }

  /// The amount without its code, rounded half to even.
  public static func number(of money: Money) -> String {
    let decimals = decimals(of: money.currency)
    let unit = powerOfTen(decimals)
    let rounded = roundedHalfToEven(money.micros * Int128(unit), over: 1_000_000)
    let whole = CountText.of(rounded.magnitude / UInt128(unit))
    let sign = rounded < 0 ? "-" : ""
    guard decimals > 0 else { return sign + whole }
    let rest = String(rounded.magnitude % UInt128(unit))
    return sign + whole + "." + String(repeating: "0", count: decimals - rest.count) + rest
  }

  /// `1,985`: in whole units of the currency, rounded half to even, where there is no room for its parts.
  static func units(of micros: Int128) -> String {
    CountText.of(roundedHalfToEven(micros, over: 1_000_000))
  }

  /// `USD 104`
  static func short(_ money: Money) -> String { "\(money.currency) \(units(of: money.micros))" }

  /// As `of`, in whole units.
  static func short(_ amounts: Amounts) -> String {
    if amounts.unconverted == 0, converted(amounts) != nil, let total = amounts.inReportingCurrency {
      return "\(GlyphSet.unicode.about) \(short(total))"
    }
    return amounts.totals.map { short($0) }.joined(separator: ", ")
  }

  /// Minor units of ISO 4217; two where the table has no other.
  public static func decimals(of currency: CurrencyCode) -> Int {
    if withoutDecimals.contains(currency.rawValue) { return 0 }
    return withThreeDecimals.contains(currency.rawValue) ? 3 : 2
  }

  private static let withoutDecimals: Set = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF",
    "XPF",
  ]
  private static let withThreeDecimals: Set = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

  private static func powerOfTen(_ exponent: Int) -> Int64 {
    (0..<exponent).reduce(Int64(1)) { power, _ in power * 10 }
  }
}
