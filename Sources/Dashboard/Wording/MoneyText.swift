import Screen
import Subscriptions

/// Amounts such as `USD 28,192.34`, with the decimals of the currency.
public enum MoneyText {
  public static func of(_ money: Money) -> String {
    "\(money.currency) \(number(of: money))"
  }

  public static func of(micros: some BinaryInteger, _ currency: CurrencyCode) -> String {
    of(Money(micros: micros, currency: currency))
  }

  /// Amount with its sign: `USD +33.62`.
  static func signed(_ money: Money) -> String {
    "\(money.currency) \(money.micros > 0 ? "+" : "")\(number(of: money))"
  }

  /// Amount in the reporting currency if everything could be converted; otherwise the amount in each
  /// currency, because currencies are never added.
  public static func of(_ amounts: Amounts) -> String {
    let whole = amounts.unconverted == 0 ? converted(amounts) : nil
    return whole ?? amounts.totals.map { of($0) }.joined(separator: ", ")
  }

  /// Short form of `of`: more than three currencies are only counted.
  static func brief(_ amounts: Amounts) -> String {
    guard amounts.totals.count > fewCurrencies, let count = currencies(amounts) else { return of(amounts) }
    return "money in \(count)"
  }

  /// `3 currencies`; `nil` for a single currency, or if everything could be converted.
  static func currencies(_ amounts: Amounts) -> String? {
    let count = amounts.totals.count
    if count < 2 || amounts.unconverted == 0 && converted(amounts) != nil { return nil }
    return "\(CountText.of(count)) currencies"
  }

  /// Maximum number of currencies that are listed one by one.
  static let fewCurrencies = 3

  /// `≈ EUR 1,234.56`: converted amount, as far as there are rates. `nil` without a reporting currency, or if
  /// all amounts are in it already.
  static func converted(_ amounts: Amounts) -> String? {
    guard let total = amounts.inReportingCurrency, amounts.totals.map(\.currency) != [total.currency] else {
      return nil
    }
    return about(total)
  }

  /// `≈ EUR 1,234.56`
  static func about(_ total: Money) -> String { "\(GlyphSet.unicode.about) \(of(total))" }

  /// Amount without the currency code, rounded half to even.
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

  /// `1,985`: whole units of the currency, rounded half to even.
  static func units(of micros: Int128) -> String {
    CountText.of(roundedHalfToEven(micros, over: 1_000_000))
  }

  /// `USD 104`
  static func short(_ money: Money) -> String { "\(money.currency) \(units(of: money.micros))" }

  /// Short form of `of` in whole units.
  static func short(_ amounts: Amounts) -> String {
    if amounts.unconverted == 0, converted(amounts) != nil, let total = amounts.inReportingCurrency {
      return "\(GlyphSet.unicode.about) \(short(total))"
    }
    return amounts.totals.map { short($0) }.joined(separator: ", ")
  }

  /// Minor units of ISO 4217; two for currencies that are not listed.
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
