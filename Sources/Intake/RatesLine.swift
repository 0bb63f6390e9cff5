import Subscriptions

/// The rates of one line.
public struct RatesLine: Hashable, Sendable {
  /// UTC, in days since 1970.
  public var day: Int
  /// What they are relative to; nil where that is the reporting currency, whichever it is.
  public var base: CurrencyCode?
  public var quotes: [Quote]

  /// What the European Central Bank's rates are relative to.
  public static let euro = CurrencyCode("EUR")

  /// Units of a currency for one of the base, in millionths of millionths; nil where the file says that there is none.
  public struct Quote: Hashable, Sendable {
    public var currency: CurrencyCode
    public var picos: Int64?
  }

  struct Key: Hashable {
    var day: Int
    /// Of a file with one a line.
    var currency: CurrencyCode?
  }

  var key: Key { Key(day: day, currency: base == nil ? quotes.first?.currency : nil) }

  /// - Parameter reporting: stands for the base where the file has none.
  public func rates(reporting: CurrencyCode) -> [PublishedRate] {
    quotes.map {
      PublishedRate(base: base ?? reporting, currency: $0.currency, day: day, picos: $0.picos)
    }
  }
}
