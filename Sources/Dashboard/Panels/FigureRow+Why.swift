import Screen
import Subscriptions

extension FigureRow {
  /// Returns why the row is counted, without the state, which has its own column. The calculation of a
  /// prorated refund shows money and days.
  func reason(in wording: Wording) -> String {
    let prefix = state.map { "\($0.rawValue): " } ?? ""
    let why = ReasonWords(why.hasPrefix(prefix) ? String(why.dropFirst(prefix.count)) : why).text
    guard let proration else { return why }
    let times = wording.glyphs.isASCII ? "x" : "×"
    let (unused, whole) = (
      AgeText.exactDays(proration.unusedMilliseconds), AgeText.exactDays(proration.wholeMilliseconds)
    )
    return why.replacing(
      proration.text, with: "\(MoneyText.of(proration.price)) \(times) \(unused) unused of \(whole)")
  }
}
