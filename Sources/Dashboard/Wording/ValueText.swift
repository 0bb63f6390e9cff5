import Subscriptions

enum ValueText {
  static func of(_ value: ReportValue?) -> String {
    switch value {
    case .count(let number)?: count(number)
    case .share(let share)?: PercentText.of(share)
    case .amount(let money)?: MoneyText.of(money)
    case nil: "unknown"
    }
  }

  /// Difference with its sign. Shares are in percentage points.
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

  /// A difference that rounds to zero.
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
    guard tenths % 10 != 0 else { return CountText.of(tenths / 10) }
    return "\(tenths < 0 ? "-" : "")\(CountText.of(tenths.magnitude / 10)).\(tenths.magnitude % 10)"
  }
}
