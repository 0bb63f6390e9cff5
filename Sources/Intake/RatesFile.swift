import AppStore
import Subscriptions

/// Format of files with exchange rates, as CSV: the unchanged history of the European Central Bank
/// (`eurofxref-hist.csv`), or one rate per line under the header `date,currency,rate`.
public enum RatesFile: LineFormat {
  public static let name = "rates"
  public static let what = "exchange rates"

  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (Int, LineContent<RatesLine>) throws(Failure) -> Void
  ) throws(Failure) {
    try readRows(
      &lines, atMost: (FieldLimits.rates, "lines"),
      header: { (text) throws(UnreadableAnswer) in try RateColumns(header: try CSVLine.fields(of: text)) },
      row: { (text, columns) throws(UnreadableAnswer) in
        try columns.line(try CSVLine.fields(of: text, count: columns.count))
      },
      repetition: { line in
        let key = line.key
        return (key, "the file has this \(key.currency == nil ? "day" : "currency and day") twice")
      }, take)
  }
}

/// Exchange rates of one day from one line of a file.
public struct RatesLine: Hashable, Sendable {
  /// UTC day, in days since 1970.
  public var day: Int
  /// Currency that the rates are relative to; `nil` for the reporting currency.
  public var base: CurrencyCode?
  public var quotes: [Quote]

  public static let euro = CurrencyCode("EUR")

  /// Rate of a currency: `picos` is its units per unit of the base, times 10¹²; `nil` if the rate is missing.
  public struct Quote: Hashable, Sendable {
    public var currency: CurrencyCode
    public var picos: Int64?
  }

  struct Key: Hashable {
    var day: Int
    /// Currency of the line; `nil` if the line has all rates of the day.
    var currency: CurrencyCode?
  }

  var key: Key { Key(day: day, currency: base == nil ? quotes.first?.currency : nil) }

  /// Returns the rates, which are relative to `reporting` if the file names no base currency.
  public func rates(reporting: CurrencyCode) -> [PublishedRate] {
    quotes.map {
      PublishedRate(base: base ?? reporting, currency: $0.currency, day: day, picos: $0.picos)
    }
  }
}

struct RateColumns {
  private enum Layout {
    /// One column per currency; columns without a name must be empty.
    case history([CurrencyCode?])
    case plain(date: Int, currency: Int, rate: Int)
  }

  private static let plainHeader = ["date", "currency", "rate"]

  private let layout: Layout
  let count: Int

  init(header: [String]) throws(UnreadableAnswer) {
    count = header.count
    try ColumnName.refuseTwice(Self.plainHeader, in: header)
    if let date = header.firstIndex(of: "date"), let currency = header.firstIndex(of: "currency"),
      let rate = header.firstIndex(of: "rate"), header.count == Self.plainHeader.count
    {
      layout = .plain(date: date, currency: currency, rate: rate)
      return
    }
    guard header.count > 1, header[0] == "Date" else {
      throw UnreadableAnswer(
        reason:
          "the header is neither \(Self.plainHeader.joined(separator: ",")) nor Date and currencies, as in the European Central "
          + "Bank's eurofxref-hist.csv")
    }
    var seen: Set<CurrencyCode> = [RatesLine.euro]
    var columns: [CurrencyCode?] = []
    for name in header.dropFirst() {
      guard !name.isEmpty else {
        columns.append(nil)
        continue
      }
      guard let currency = CurrencyCode(iso4217: name) else {
        throw UnreadableAnswer(reason: "a column of the header is not an ISO 4217 code like USD")
      }
      guard seen.insert(currency).inserted else {
        throw UnreadableAnswer(
          reason: currency == RatesLine.euro
            ? "the header has EUR, which the rates are relative to" : "the header has \(currency) twice")
      }
      columns.append(currency)
    }
    layout = .history(columns)
  }

  func line(_ fields: [String]) throws(UnreadableAnswer) -> RatesLine {
    switch layout {
    case .plain(let date, let place, let rate):
      let day = try Self.day(fields[date])
      guard let currency = CurrencyCode(iso4217: fields[place]) else {
        throw UnreadableAnswer(reason: "currency is not an ISO 4217 code like USD")
      }
      guard let picos = Self.picos(fields[rate]) else {
        throw UnreadableAnswer(reason: "rate is not \(Self.decimal)")
      }
      return RatesLine(day: day, quotes: [.init(currency: currency, picos: picos)])
    case .history(let columns):
      var line = RatesLine(day: try Self.day(fields[0]), base: RatesLine.euro, quotes: [])
      for (currency, field) in zip(columns, fields.dropFirst()) {
        guard let currency else {
          guard field.isEmpty else {
            throw UnreadableAnswer(reason: "a rate is in a column without a currency")
          }
          continue
        }
        let isMissing = field == "N/A" || field.isEmpty
        let picos = isMissing ? nil : Self.picos(field)
        guard isMissing || picos != nil else {
          throw UnreadableAnswer(reason: "\(currency) is neither N/A nor \(Self.decimal)")
        }
        line.quotes.append(.init(currency: currency, picos: picos))
      }
      return line
    }
  }

  private static func day(_ text: String) throws(UnreadableAnswer) -> Int {
    guard let date = CivilDate(parsing: text), (1970...2099).contains(date.year) else {
      throw UnreadableAnswer(reason: "the date is not a day like 2026-01-31, from 1970 to 2099")
    }
    return date.daysSince1970
  }

  private static let decimal =
    "a decimal like 1.1684, more than 0 and below 9,000,000, with at most twelve places"

  /// Parses a rate without rounding, in units of 10⁻¹²; `nil` if it is malformed or out of range.
  private static func picos(_ text: String) -> Int64? {
    guard let picos = units(ofDecimal: text, whole: 7, places: 12), picos > 0,
      picos < 9_000_000 * PublishedRate.one
    else { return nil }
    return picos
  }
}
