import Screen
import Subscriptions

extension FigureRow {
  /// Why it is counted, without the state, which has its own column, and with the sum of a prorated refund in money and
  /// days.
  func reason(in wording: Wording) -> String {
    let prefix = state.map { "\($0.rawValue): " } ?? ""
    let why = why.hasPrefix(prefix) ? String(why.dropFirst(prefix.count)) : why
    guard let currency = amount?.currency, let colon = why.lastIndex(of: ":") else { return why }
    guard let sum = Self.sum(String(why[colon...].dropFirst(2)), currency, in: wording) else { return why }
    return why[...colon] + " " + sum
  }

  /// `4990000 micros × 302400000 ms unused / 604800000 ms` as `USD 4.99 × 3.5 d unused of 7.0 d`; nil where it is no
  /// such sum.
  private static func sum(_ text: String, _ currency: CurrencyCode, in wording: Wording) -> String? {
    let words = text.split(separator: " ")
    guard words.count == 9, words[1] == "micros", words[5] == "unused", let price = Int64(words[0]),
      let unused = Int64(words[3]), let whole = Int64(words[7])
    else { return nil }
    let times = wording.glyphs.isASCII ? "x" : "×"
    let money = MoneyText.of(micros: price, currency)
    return "\(money) \(times) \(AgeText.exactDays(unused)) unused of \(AgeText.exactDays(whole))"
  }
}
