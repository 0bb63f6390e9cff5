import Intake
import Subscriptions
import TestSupport
import Testing

extension RatesLine {
  fileprivate var words: String {
    let day = CivilDate(daysSince1970: day)
    let quotes = quotes.map { "\($0.currency) \($0.picos.map(String.init) ?? "-")" }
    return "\(day.year)-\(day.month)-\(day.day) \(base?.rawValue ?? "-"): " + quotes.joined(separator: ", ")
  }
}

private let noHeader =
  "line 1: the header is neither date,currency,rate nor Date and currencies, as in the European Central Bank's eurofxref-hist.csv"
private let noRate =
  "a decimal like 1.1684, more than 0 and below 9,000,000, with at most twelve places"
private let noDate = "the date is not a day like 2026-01-31, from 1970 to 2099"

private enum RatesCases {
  static let histories = [
    FileCase(
      "as the bank publishes it: the newest first, a comma at each end, N/A for what is missing",
      "Date,USD,JPY,RUB,\n2026-04-13,1.1684,186.75,N/A,\n2026-04-10,1.1711,186.43,117.201,\n",
      [
        "2026-4-13 EUR: USD 1168400000000, JPY 186750000000000, RUB -",
        "2026-4-10 EUR: USD 1171100000000, JPY 186430000000000, RUB 117201000000000",
      ]),
    FileCase(
      "columns in another order, no comma at the end, lines as on Windows",
      "Date,JPY,USD\r\n2026-04-13,186.75,1\r\n", ["2026-4-13 EUR: JPY 186750000000000, USD 1000000000000"]),
    FileCase(
      "blanks around fields, and nothing instead of N/A", "Date, USD, GBP\n2026-04-13, 1.2, \n",
      ["2026-4-13 EUR: USD 1200000000000, GBP -"]),
    FileCase(
      "every bad line is named, and the good ones read",
      "Date,USD,\n2026-04-13,x,\n2026-02-30,1,\n13 April 2026,1,\n1969-12-31,1,\n2026-04-10,1,2\n2026-04-09,1\n2026-04-08,0,\n2026-04-07,-1,\n2026-04-06,1e3,\n2026-04-05,9000000,\n2026-04-04,1.1234567890123,\n2026-04-03,8999999.999999999999,\n2026-04-03,1,\n",
      ["2026-4-3 EUR: USD 8999999999999999999"],
      bad: [
        "line 2: USD is neither N/A nor \(noRate)", "line 3: \(noDate)", "line 4: \(noDate)",
        "line 5: \(noDate)", "line 6: a rate is in a column without a currency",
        "line 7: it has 2 fields instead of 3", "line 8: USD is neither N/A nor \(noRate)",
        "line 9: USD is neither N/A nor \(noRate)", "line 10: USD is neither N/A nor \(noRate)",
        "line 11: USD is neither N/A nor \(noRate)", "line 12: USD is neither N/A nor \(noRate)",
        "line 14: the file has this day twice",
      ]),
    FileCase(
      "a header with something else than a currency", "Date,USD,Dollars\n",
      bad: ["line 1: a column of the header is not an ISO 4217 code like USD"]),
    FileCase("a header with a currency twice", "Date,USD,USD\n", bad: ["line 1: the header has USD twice"]),
    FileCase(
      "a header with the day twice", "Date,USD,date\n",
      bad: [
        "line 1: the header names date more than once, in columns 1 and 3; remove or rename one"
      ]),
    FileCase(
      "a header with the euro", "Date,USD,EUR\n",
      bad: ["line 1: the header has EUR, which the rates are relative to"]),
  ]

  static let plain = [
    FileCase(
      "a rate a line", "date,currency,rate\n2026-01-02,TWD,32.5\n2026-01-02,AED,3.6725\n",
      ["2026-1-2 -: TWD 32500000000000", "2026-1-2 -: AED 3672500000000"]),
    FileCase(
      "columns in another order, and a small rate", "rate,date,currency\n0.000039312345,2026-01-02,USD",
      ["2026-1-2 -: USD 39312345"]),
    FileCase(
      "bad fields",
      "date,currency,rate\n2026/01/02,TWD,1\n2026-01-02,twd,1\n2026-01-02,TWD,N/A\n2026-01-02,TWD,\n2026-01-02,TWD\n",
      bad: [
        "line 2: \(noDate)", "line 3: currency is not an ISO 4217 code like USD",
        "line 4: rate is not \(noRate)", "line 5: rate is not \(noRate)",
        "line 6: it has 2 fields instead of 3",
      ]),
    FileCase(
      "a currency twice on a day, but not on two",
      "date,currency,rate\n2026-01-02,TWD,1\n2026-01-03,TWD,1\n2026-01-02,TWD,1\n",
      ["2026-1-2 -: TWD 1000000000000", "2026-1-3 -: TWD 1000000000000"],
      bad: ["line 4: the file has this currency and day twice"]),
    FileCase("nothing", "", bad: ["line 1: the file is empty"]),
    FileCase(
      "a header with a column twice", "date,currency,rate,Rate\n",
      bad: [
        "line 1: the header names rate more than once, in columns 3 and 4; remove or rename one"
      ]),
    FileCase("another header", "day,currency,rate\n2026-01-02,TWD,1\n", bad: [noHeader]),
    FileCase(
      "the bank's zip", "PK\u{3}\u{4}",
      bad: ["line 1: it is compressed with zip; run `unzip -p FILE | subtop import rates -`"]),
  ]
}

@Suite("Files of exchange rates") struct RatesFileTests {
  @Test(arguments: RatesCases.histories + RatesCases.plain)
  func reads(_ example: FileCase) {
    let reading = RatesFile.read(example.bytes)
    #expect(reading.items.map(\.words) == example.items)
    #expect(reading.badLines.map(\.description) == example.bad)
  }

  /// The days and rates of the published history are counted here without the reader.
  @Test(.enabled(if: Corpus.hasRates)) func theHistoryOfTheCentralBank() throws {
    let bytes = try #require(Corpus.rates)
    let reading = RatesFile.read(bytes)
    #expect(reading.badLines == [])
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst()
    #expect(reading.items.count == lines.count && lines.count > 1000)
    let numbers = lines.reduce(0) { $0 + $1.split(separator: ",").dropFirst().count { $0 != "N/A" } }
    #expect(reading.items.reduce(0) { $0 + $1.quotes.count { $0.picos != nil } } == numbers)
    let rates = ExchangeRates(
      reading.items.flatMap { $0.rates(reporting: CurrencyCode("EUR")) }.withoutRepeatedGaps,
      in: CurrencyCode("USD"))
    // Rates of Friday, 2026-04-10: USD 1.1711, JPY 186.43.
    let saturday = try #require(Instant(parsing: "2026-04-11"))
    #expect(
      rates.conversion(of: CurrencyCode("JPY"), at: saturday).of(1_000_000_000).micros == 6_281_714)
    #expect(rates.conversion(of: CurrencyCode("RUB"), at: saturday) == .unknown)
  }
}
