/// What amounts of every currency were worth in the reporting currency, day by day: METRICS §4, Reporting currency.
public struct ExchangeRates: Hashable, Sendable {
  public let reporting: CurrencyCode
  private let tables: [Table]

  /// What one publisher says: units of each currency for one of the base.
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

  /// - Parameter rates: in any order; of one base and currency each day once.
  public init(_ rates: some Sequence<PublishedRate>, in reporting: CurrencyCode) {
    self.reporting = reporting
    var tables: [CurrencyCode: Table] = [:]
    for rate in rates {
      tables[rate.base, default: Table(base: rate.base)]
        .series[rate.currency, default: RateSeries()].append(rate)
    }
    // What is told of the reporting currency itself comes before what has to be reckoned through another one.
    self.tables = tables.values.sorted {
      ($0.base == reporting ? 0 : 1, $0.base.rawValue) < ($1.base == reporting ? 0 : 1, $1.base.rawValue)
    }.map(\.sorted)
  }

  /// - Parameter purchase: of the row that an amount belongs to, whose day (UTC) decides.
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

/// The rates of one currency.
private struct RateSeries: Hashable, Sendable {
  private var entries: [Entry] = []

  private struct Entry: Hashable, Sendable {
    var day: Int32
    /// 0 where there is none from that day on.
    var picos: Int64
  }

  /// Days that a publisher may leave a currency out and go on with it: a hole. After more of them it has ended, as the rouble has
  /// at the European Central Bank, and a later purchase has no rate.
  private static let longestHole = 7

  mutating func append(_ rate: PublishedRate) {
    entries.append(Entry(day: Int32(clamping: rate.day), picos: rate.picos ?? 0))
  }

  var sorted: Self {
    var series = self
    series.entries.sort { $0.day < $1.day }
    return series
  }

  /// The last known on a day or before it.
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
