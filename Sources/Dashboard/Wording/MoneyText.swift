import Subscriptions

/// Money for people: `USD 28,192.34`, with as many decimals as the currency has.
public enum MoneyText {
  public static func of(_ money: Money) -> String {
    "\(money.currency) \(number(of: money))"
  }

  public static func of(micros: Int64, _ currency: CurrencyCode) -> String {
    of(Money(micros: micros, currency: currency))
  }

  /// The totals side by side; currencies are never added to each other.
  public static func of(_ amounts: Amounts) -> String {
    amounts.totals.map { of($0) }.joined(separator: ", ")
  }

  /// The amount without its code, rounded half to even.
  public static func number(of money: Money) -> String {
    let decimals = decimals(of: money.currency)
    let unit = powerOfTen(decimals)
    let rounded = roundedHalfToEven(Int128(money.micros) * Int128(unit), over: 1_000_000)
    let whole = CountText.of(rounded.magnitude / UInt64(unit))
    let sign = rounded < 0 ? "-" : ""
    guard decimals > 0 else { return sign + whole }
    let rest = String(rounded.magnitude % UInt64(unit))
    return sign + whole + "." + String(repeating: "0", count: decimals - rest.count) + rest
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
