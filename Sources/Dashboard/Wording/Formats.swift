import Screen
import Subscriptions

/// Whole numbers with grouped digits: `28,192`.
public enum CountText {
  public static func of(_ number: some BinaryInteger) -> String { number.grouped }

  /// Returns the nearest whole number, or `unknown` if the number is not finite or too large.
  static func rounding(_ number: Double) -> String {
    guard number.isFinite, number.magnitude < 1e15 else { return "unknown" }
    return of(Int64(number.rounded()))
  }

  static func tenths(_ tenths: Int64) -> String {
    "\(tenths < 0 ? "-" : "")\(of(tenths.magnitude / 10)).\(tenths.magnitude % 10)"
  }

  /// Returns a frequency, with one decimal if it is below 1, so that a rare event is not shown as 0.
  static func rate(_ number: Double) -> String {
    guard number > 0, number < 0.95 else { return rounding(number) }
    return number < 0.05 ? "under 0.1" : "0.\(Int((number * 10).rounded()))"
  }

  /// Returns a number with its noun: `1 line`, `2 lines`.
  public static func of(_ number: some BinaryInteger, _ singular: String, _ plural: String? = nil) -> String {
    "\(of(number)) \(number == 1 ? singular : plural ?? singular + "s")"
  }

  static func aligned(_ numbers: [Int]) -> [String] { aligned(numbers.map { of($0) }) }

  static func aligned(_ texts: [String]) -> [String] {
    let width = texts.map(\.count).max() ?? 0
    return texts.map { String(repeating: " ", count: width - $0.count) + $0 }
  }
}

extension StyledText {
  static func part(_ name: String, _ number: Int, _ style: Style) -> StyledText {
    [TextSpan("\(name) ", .dim), TextSpan(CountText.of(number), number > 0 ? style : .text)]
  }

  static func dash(in glyphs: GlyphSet) -> StyledText { StyledText(glyphs.dash, .dim) }

  static func number(_ number: Int, _ style: Style = .text) -> StyledText {
    StyledText(CountText.of(number), number == 0 ? .dim : style)
  }

  static func left(_ milliseconds: Int64) -> StyledText {
    let days = milliseconds / Milliseconds.day
    return StyledText(AgeText.of(milliseconds), days < 3 ? .bad : days < 8 ? .warn : .text)
  }

  static func environment(_ environment: StoreEnvironment) -> StyledText {
    StyledText(environment.rawValue, environment == .production ? .text : .warn)
  }

  static func storefront(_ storefront: StorefrontCode?, in glyphs: GlyphSet) -> StyledText {
    storefront.map { StyledText($0.rawValue) } ?? .dash(in: glyphs)
  }

  static func money(_ micros: (some BinaryInteger)?, _ currency: CurrencyCode?, unknown: String) -> StyledText
  {
    guard let micros, let currency else { return StyledText(unknown, .dim) }
    return StyledText(MoneyText.of(micros: micros, currency), .money)
  }

  /// Returns an amount for a table's cell; an empty amount is a dash if `count` is 0, otherwise "unknown".
  static func amount(_ amount: Amounts, of count: Int, in glyphs: GlyphSet) -> StyledText {
    guard amount.isEmpty else { return StyledText(MoneyText.of(amount), .money) }
    return StyledText(count == 0 ? glyphs.dash : "unknown", .dim)
  }
}

/// Percentages: `97.1 %`.
public enum PercentText {
  public static func of(_ share: Double?, unknown: String = "unknown") -> String {
    guard let share, share.isFinite, share.magnitude < 1e12 else { return unknown }
    return "\(CountText.tenths(Int64((share * 1000).rounded(.toNearestOrEven)))) %"
  }

  /// Returns a percentage, with a decimal if it is below ten: `2.4 %`, `12 %`.
  static func short(_ share: Double) -> String {
    share < 0.0995 ? of(share) : share < 1e9 ? "\(CountText.rounding(share * 100)) %" : "unknown"
  }

  public static func of(_ part: Int, in whole: Int, unknown: String = "unknown") -> String {
    of(share(part, in: whole), unknown: unknown)
  }

  static func share(_ part: Int, in whole: Int) -> Double? {
    whole == 0 ? nil : Double(part) / Double(whole)
  }
}

extension StyledText {
  static func share(
    _ part: Int, of whole: Int, _ style: Style = .strong, unknown: String = "unknown"
  ) -> StyledText {
    StyledText(PercentText.of(part, in: whole, unknown: unknown), whole == 0 ? .dim : style)
  }
}

/// Durations of requests: `82 ms`, `1.4 s`.
enum LatencyText {
  static func of(_ milliseconds: Double) -> String {
    guard milliseconds.isFinite, milliseconds >= 0, milliseconds < 1e12 else { return "unknown" }
    let whole = Int64(milliseconds.rounded())
    guard whole >= Milliseconds.second else { return "\(whole) ms" }
    return "\(CountText.tenths(Int64((milliseconds / 100).rounded()))) s"
  }
}

/// Durations in a single unit, so that the text seldom changes: `9 d`, `5 h`.
public enum AgeText {
  public static func of(_ milliseconds: Int64) -> String { Milliseconds.text(milliseconds) }

  /// Returns `9 d ago`, or `in 9 d` for a future instant.
  public static func ago(_ instant: Instant, at now: Instant) -> String {
    let age = now - instant
    return age.magnitude < UInt64(Milliseconds.second) ? "now" : Milliseconds.ago(age)
  }

  /// Returns `9 d ago`, or `9 d later` for an event after the instant of a frozen screen.
  static func since(_ event: Instant, at shown: Instant) -> String {
    event - shown >= Milliseconds.second ? "\(of(event - shown)) later" : ago(event, at: shown)
  }

  /// Returns the text of a detection lag; the lag can be negative, because Apple renews up to a day early.
  static func delay(_ milliseconds: Int64) -> String {
    of(milliseconds) + (milliseconds <= -Milliseconds.second ? " before" : "")
  }

  /// Returns days with one decimal: `12.4 d`.
  static func exactDays(_ milliseconds: Int64) -> String {
    let tenths = roundedHalfToEven(Int128(milliseconds) * 10, over: Int128(Milliseconds.day))
    return "\(CountText.tenths(Int64(clamping: tenths))) d"
  }
}

/// Values of figures of any kind: counts, shares and amounts.
enum ValueText {
  static func of(_ value: ReportValue?) -> String {
    switch value {
    case .count(let number)?: count(number)
    case .share(let share)?: PercentText.of(share)
    case .amount(let money)?: MoneyText.of(money)
    case nil: "unknown"
    }
  }

  /// Returns a difference with its sign, in percentage points for shares.
  static func difference(_ value: ReportValue) -> String {
    let text =
      if case .share(let share) = value { PercentText.of(share).replacing("%", with: "pt") } else {
        of(value)
      }
    guard value.number > 0 else { return text }
    // The sign follows the currency code, like a minus.
    guard case .amount(let money) = value else { return "+\(text)" }
    return "\(money.currency) +\(MoneyText.number(of: money))"
  }

  /// Returns the text for a difference that rounds to zero.
  static func zero(like value: ReportValue) -> String {
    switch value {
    case .count: "0"
    case .share: PercentText.of(0).replacing("%", with: "pt")
    case .amount(let money): MoneyText.of(micros: 0, money.currency)
    }
  }

  private static func count(_ number: Double) -> String {
    guard number.isFinite, number.magnitude < 1e15 else { return "unknown" }
    let tenths = Int64((number * 10).rounded())
    return tenths % 10 == 0 ? CountText.of(tenths / 10) : CountText.tenths(tenths)
  }
}

/// Relative changes without sign: `2.4 %`, `12 %`, or `14×` for large ones.
enum ChangeText {
  /// Returns the text for `share`, the change divided by the earlier value.
  static func of(_ share: Double, in glyphs: GlyphSet) -> String {
    share < 9.995
      ? PercentText.short(share.magnitude) : "\(CountText.rounding(share + 1))\(glyphs.isASCII ? "x" : "×")"
  }

  static func isNothing(_ text: String) -> Bool { text.hasPrefix("0.0") }
}

/// Unit that all amounts of a table share, so that large amounts do not widen its columns.
enum AmountUnit: Hashable, Sendable {
  case exact, whole, thousands

  init(for amounts: [Int128]) {
    let most = amounts.map(\.magnitude).max() ?? 0
    self = most < 1_000_000_000_000 ? .exact : most < 1_000_000_000_000_000 ? .whole : .thousands
  }

  var suffix: String { self == .thousands ? " k" : "" }
}

/// Amounts such as `USD 28,192.34`, with the decimals of the currency.
public enum MoneyText {
  public static func of(_ money: Money) -> String {
    "\(money.currency) \(number(of: money))"
  }

  public static func of(micros: some BinaryInteger, _ currency: CurrencyCode) -> String {
    of(Money(micros: micros, currency: currency))
  }

  /// Returns an amount with its sign: `USD +33.62`.
  static func signed(_ money: Money) -> String {
    "\(money.currency) \(money.micros > 0 ? "+" : "")\(number(of: money))"
  }

  /// Returns the amount in the reporting currency if all of it could be converted, else in each currency.
  public static func of(_ amounts: Amounts) -> String {
    let whole = amounts.unconverted == 0 ? converted(amounts) : nil
    return whole ?? amounts.totals.map { of($0) }.joined(separator: ", ")
  }

  /// Returns `of(_:)`, or `money in 5 currencies` if that would list more than three currencies.
  static func brief(_ amounts: Amounts) -> String {
    let isConverted = amounts.unconverted == 0 && converted(amounts) != nil
    guard amounts.totals.count > fewCurrencies, !isConverted else { return of(amounts) }
    return "money in \(CountText.of(amounts.totals.count)) currencies"
  }

  static let fewCurrencies = 3

  /// Returns the sum in the reporting currency, without amounts that lack a rate: `≈ EUR 1,234.56`.
  ///
  /// The result is `nil` if there is no reporting currency, or if all amounts are in that currency already.
  static func converted(_ amounts: Amounts) -> String? {
    guard let total = amounts.inReportingCurrency, amounts.totals.map(\.currency) != [total.currency] else {
      return nil
    }
    return about(total)
  }

  /// Returns an amount marked as converted: `≈ EUR 1,234.56`.
  static func about(_ total: Money) -> String { "\(GlyphSet.unicode.about) \(of(total))" }

  /// Returns an amount without the currency code, rounded half to even.
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

  /// Returns whole units of the currency, rounded half to even: `1,985`.
  static func units(of micros: Int128) -> String {
    CountText.of(roundedHalfToEven(micros, over: 1_000_000))
  }

  /// Returns an amount in the unit of its table, without the currency code.
  static func number(of money: Money, in unit: AmountUnit) -> String {
    switch unit {
    case .exact: number(of: money)
    case .whole: units(of: money.micros)
    case .thousands: CountText.of(roundedHalfToEven(money.micros, over: 1_000_000_000))
    }
  }

  /// Returns the number of decimals by ISO 4217; two for currencies that are not listed.
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

func altered<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var value = value
  change(&value)
  return value
}
