/// Daily exchange rates into the reporting currency (METRICS §4, Reporting currency).
public struct ExchangeRates: Hashable, Sendable {
  public let reporting: CurrencyCode
  private let tables: [Table]

  private struct Table: Hashable, Sendable {
    var base: CurrencyCode
    var series: [CurrencyCode: RateSeries] = [:]

    func picos(of currency: CurrencyCode, on day: Int) -> Int64? {
      currency == base ? PublishedRate.one : series[currency]?.picos(on: day)
    }

    var sorted: Self {
      var table = self
      table.series = series.mapValues(\.sorted)
      return table
    }
  }

  /// - Parameter rates: Rates in any order, at most one for each base, currency and day.
  public init(_ rates: some Sequence<PublishedRate>, in reporting: CurrencyCode) {
    self.reporting = reporting
    var tables: [CurrencyCode: Table] = [:]
    for rate in rates {
      tables[rate.base, default: Table(base: rate.base)]
        .series[rate.currency, default: RateSeries()].append(rate)
    }
    // Rates with the reporting currency as their base are preferred to cross rates.
    self.tables = tables.values.sorted {
      ($0.base == reporting ? 0 : 1, $0.base.rawValue) < ($1.base == reporting ? 0 : 1, $1.base.rawValue)
    }.map(\.sorted)
  }

  /// Returns the conversion at the rate of the purchase day (UTC).
  public func conversion(of currency: CurrencyCode, at purchase: Instant) -> Conversion {
    if currency == reporting { return .at(.same) }
    let day = Int(flooredQuotient(purchase.rawValue, over: Milliseconds.day))
    for table in tables {
      if let from = table.picos(of: currency, on: day), let to = table.picos(of: reporting, on: day) {
        return .at(ExchangeRate(from: from, to: to))
      }
    }
    return .unknown
  }
}

private struct RateSeries: Hashable, Sendable {
  private var entries: [Entry] = []

  private struct Entry: Hashable, Sendable {
    var day: Int32
    /// Rate times 10¹²; 0 if there is no rate.
    var picos: Int64
  }

  /// Maximum age in days of a rate that bridges a declared gap; after a longer gap, the currency has no rate.
  private static let longestHole = 7

  mutating func append(_ rate: PublishedRate) {
    entries.append(Entry(day: Int32(clamping: rate.day), picos: rate.picos ?? 0))
  }

  var sorted: Self {
    var series = self
    series.entries.sort { $0.day < $1.day }
    return series
  }

  func picos(on day: Int) -> Int64? {
    guard var place = entries.lastPlace(where: { $0.day <= day }) else { return nil }
    while entries[place].picos <= 0 {
      guard place > 0 else { return nil }
      place -= 1
      guard entries[place].picos <= 0 || day - Int(entries[place].day) <= Self.longestHole else { return nil }
    }
    return entries[place].picos
  }
}

extension Sequence<PublishedRate> {
  public var fingerprint: Int64 {
    var hash = StableHash()
    for rate in self {
      hash.add(rate.base.rawValue)
      hash.add(rate.currency.rawValue)
      hash.add(Int64(rate.day))
      hash.add(rate.picos ?? 0)
    }
    return Int64(truncatingIfNeeded: hash.value ^ (hash.value >> 64))
  }
}

extension [PublishedRate] {
  /// Rates sorted by base, currency and day, with only the first of consecutive days without a rate.
  public var withoutRepeatedGaps: [PublishedRate] {
    let ordered = sorted {
      ($0.base.rawValue, $0.currency.rawValue, $0.day) < ($1.base.rawValue, $1.currency.rawValue, $1.day)
    }
    var last: PublishedRate?
    return ordered.filter { rate in
      defer { last = rate }
      guard let last, last.base == rate.base, last.currency == rate.currency else { return true }
      return rate.picos != nil || last.picos != nil
    }
  }
}
