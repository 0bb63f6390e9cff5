import Screen
import Subscriptions

/// Measure of a cohort: its subscribers, or its MRR in a currency.
enum CohortMeasure: Hashable, Sendable {
  case subscribers
  case revenue(CurrencyCode)
  /// MRR of all currencies, in the reporting currency.
  case converted(CurrencyCode)

  /// Those that there are, in the order in which a key goes through them: the currency that most was paid in first.
  static func all(of figures: FigureValues) -> [CohortMeasure] {
    let starts = figures[parts: "rows"].map { $0[amounts: "mrr"] }
    let reporting = starts.lazy.compactMap { $0.inReportingCurrency?.currency }.first
    var totals: [CurrencyCode: Int128] = [:]
    for total in starts.flatMap(\.totals) { totals[total.currency, default: 0] += total.micros }
    let currencies = totals.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    return [.subscribers] + (reporting.map { [.converted($0)] } ?? []) + currencies.map { .revenue($0) }
  }

  func number(_ lines: Int, _ amounts: Amounts) -> Int128 {
    switch self {
    case .subscribers: Int128(lines)
    case .revenue(let currency): amounts[currency] ?? 0
    case .converted: amounts.inReportingCurrency?.micros ?? 0
    }
  }

  func text(_ number: Int128) -> String {
    self == .subscribers ? CountText.of(number) : MoneyText.units(of: number)
  }

  /// `122 of 200 subscribers`, `USD 610.00 of USD 1,000.00 a month`.
  func words(_ part: Int128, of whole: Int128) -> String {
    switch self {
    case .subscribers: "\(CountText.of(part)) of \(CountText.of(whole, "subscriber"))"
    case .revenue(let currency), .converted(let currency):
      "\(MoneyText.of(micros: part, currency)) of \(MoneyText.of(micros: whole, currency)) a month"
    }
  }

  var name: String {
    switch self {
    case .subscribers: "Subscribers"
    case .revenue(let currency): "MRR in \(currency)"
    case .converted(let currency): "MRR, \(GlyphSet.unicode.about) \(currency)"
    }
  }
}

/// Display options of the cohorts panel.
struct CohortView: Hashable, Sendable {
  var isAbsolute = false
  var measure = CohortMeasure.subscribers

  /// The next measure that there is.
  mutating func goOn(in figures: FigureValues) {
    let all = CohortMeasure.all(of: figures)
    let here = all.firstIndex(of: measure) ?? 0
    measure = all[(here + 1) % all.count]
  }
}
