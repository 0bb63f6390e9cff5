import Subscriptions

public struct RatesLine: Hashable, Sendable {
  /// UTC day, in days since 1970.
  public var day: Int
  /// Currency that the rates are relative to; `nil` for the reporting currency.
  public var base: CurrencyCode?
  public var quotes: [Quote]

  /// Base of the European Central Bank's rates.
  public static let euro = CurrencyCode("EUR")

  /// Units of a currency for one of the base, in units of 10⁻¹²; `nil` if the file marks it as missing.
  public struct Quote: Hashable, Sendable {
    public var currency: CurrencyCode
    public var picos: Int64?
  }

  struct Key: Hashable {
    var day: Int
    /// `nil` if a line has several currencies.
    var currency: CurrencyCode?
  }

  var key: Key { Key(day: day, currency: base == nil ? quotes.first?.currency : nil) }

  /// - Parameter reporting: base of the rates if the file names none.
  public func rates(reporting: CurrencyCode) -> [PublishedRate] {
    quotes.map {
      PublishedRate(base: base ?? reporting, currency: $0.currency, day: day, picos: $0.picos)
    }
  }
}
