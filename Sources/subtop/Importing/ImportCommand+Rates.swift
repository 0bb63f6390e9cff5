import AppStore
import Dashboard
import Intake
import ReceiptStore
import Subscriptions

extension ImportCommand {
  func importRates() throws(Failure) {
    let reporting = try options.configuration().reportingCurrency
    let reading = reading(of: RatesFile.self) { line throws(Failure) in
      guard line.base == nil else { return nil }
      guard let reporting else {
        throw Failure(
          .configuration,
          "cannot tell what the rates of date,currency,rate are relative to: no reporting_currency is configured; set it (`subtop "
            + "help configuration`), or import the European Central Bank's eurofxref-hist.csv")
      }
      let isOfItself = line.quotes.contains { $0.currency == reporting && $0.picos != PublishedRate.one }
      return isOfItself
        ? "the rate of \(reporting), which is the configured reporting_currency itself, is not 1" : nil
    }
    let store = try ImportInterruption.watching(reading) { kept throws(Failure) in
      let (rates, days) = try read(reading, for: reporting)
      let store = try options.open()
      let meter = StoreProgress(
        "telling amounts in \(reporting.map { "\($0)" } ?? "the reporting currency")")
      defer { meter.end() }
      kept.become(ImportInterruption.wholeOrNothing)
      let changed = try withStoreFailures(store.add(rates, reporting: reporting, progress: meter.watch))
      meter.end()
      kept.finish(Self.sentence(rates, days, changed: changed))
      return store
    }
    try advise(reporting, store)
  }

  private func read(
    _ reading: ImportReading<RatesFile>, for reporting: CurrencyCode?
  ) throws(Failure) -> (rates: [PublishedRate], days: Set<Int>) {
    var rates: [PublishedRate] = []
    var days: Set<Int> = []
    try eachPage(of: reading) { (page) throws(Failure) in
      for line in page.map(\.item) {
        days.insert(line.day)
        // A file's own base comes first; without one a reporting currency is configured, or the line was refused.
        rates += line.rates(reporting: reporting ?? RatesLine.euro)
      }
      guard rates.count <= FieldLimits.rates else {
        throw Failure(
          .badData,
          "the files have more than \(CountText.of(FieldLimits.rates, "rate")), and nothing was imported; import them one by one"
        )
      }
    }
    return (rates.withoutRepeatedGaps, days)
  }

  private static func sentence(_ rates: [PublishedRate], _ days: Set<Int>, changed: Int) -> String {
    let currencies = Set(rates.filter { $0.picos != nil }.map(\.currency)).count
    let bases = Set(rates.map(\.base.rawValue)).sorted().joined(separator: ", ")
    var words =
      "imported \(CountText.of(days.count, "day")) of \(CountText.of(currencies, "currency", "currencies"))"
    if let first = days.min(), let last = days.max() {
      words +=
        " per \(bases), \(CivilDate(daysSince1970: first).text) to \(CivilDate(daysSince1970: last).text)"
    }
    return words + "; \(CountText.of(changed, "rate")) new or different\n"
  }

  /// What stands in the way of figures in the reporting currency.
  private func advise(_ configured: CurrencyCode?, _ store: ReceiptStore) throws(Failure) {
    guard let configured else {
      return Standard.complain(
        "no reporting_currency is configured, so that no amount is converted; set it, and run `subtop status --rebuild`"
      )
    }
    let isServed = try withStoreFailures(store.hasRates(of: configured))
    guard !isServed else { return }
    Standard.complain(RatesText.missing(configured))
  }
}

/// For whoever imports rates, and for the doctor.
enum RatesText {
  static func missing(_ configured: CurrencyCode) -> String {
    "the store has no rate of \(configured), the configured reporting_currency: amounts in other currencies are not converted"
  }
}

extension CivilDate {
  fileprivate var text: String { Instant(startOf: self).dateText }
}
