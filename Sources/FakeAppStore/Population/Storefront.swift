import Subscriptions

/// Store of a country or region, with its currency and prices.
struct Storefront: Sendable {
  let country: String
  /// Apple's number of the storefront: *StoreKit › Storefront › id*.
  let id: String
  let currency: CurrencyCode
  let share: Int
  /// Local price of a product that costs 100 US dollars, in units of the currency.
  let hundredDollars: Int64
  /// Local prices are multiples of `step` minus `ending`, in thousandths of the currency's unit.
  let step: Int64
  let ending: Int64

  private init(
    _ country: String, _ id: String, _ currency: String, share: Int, hundredDollars: Int64, step: Int64 = 10,
    ending: Int64 = 0
  ) {
    (self.country, self.id, self.currency) = (country, id, CurrencyCode(currency))
    (self.share, self.hundredDollars, self.step, self.ending) = (share, hundredDollars, step, ending)
  }

  /// All storefronts, beginning with the United States, whose prices equal the catalog's to the cent.
  static let all = [
    Storefront("USA", "143441", "USD", share: 40, hundredDollars: 100),
    Storefront("DEU", "143443", "EUR", share: 12, hundredDollars: 100),
    Storefront("GBR", "143444", "GBP", share: 9, hundredDollars: 90, step: 500, ending: 10),
    Storefront("JPN", "143462", "JPY", share: 8, hundredDollars: 15_000, step: 50_000),
    Storefront("AUS", "143460", "AUD", share: 5, hundredDollars: 150, step: 1000, ending: 10),
    Storefront("CAN", "143455", "CAD", share: 5, hundredDollars: 140, step: 1000, ending: 10),
    Storefront("CHE", "143459", "CHF", share: 4, hundredDollars: 100, step: 500),
    Storefront("SWE", "143456", "SEK", share: 4, hundredDollars: 1200, step: 5000),
    Storefront("POL", "143478", "PLN", share: 3, hundredDollars: 500, step: 1000, ending: 10),
    Storefront("BRA", "143503", "BRL", share: 4, hundredDollars: 500, step: 1000, ending: 100),
    Storefront("MEX", "143468", "MXN", share: 3, hundredDollars: 2000, step: 10_000, ending: 1000),
    Storefront("IND", "143467", "INR", share: 3, hundredDollars: 8900, step: 100_000, ending: 1000),
  ]

  /// Returns the local price in thousandths of the currency's unit, as Apple signs it; 0 for free products.
  func price(ofCatalogMicros micros: Int64) -> Int64 {
    guard micros > 0 else { return 0 }
    let scaled = micros / 1000 * hundredDollars / 100
    return max(1, (scaled + step / 2) / step) * step - ending
  }
}

extension Subscriber {
  /// Storefront of the customer; customers of the campaign are in the United States, where the fairs were.
  var storefront: Storefront {
    if tookCode { return Storefront.all[0] }
    var random = SplitMix64(seed: seed, index: index, stream: 4)
    return random.pick(Storefront.all, weight: \.share) ?? Storefront.all[0]
  }
}

/// Invented weekly exchange rates for the currencies of the storefronts, in the format of `import rates`.
public enum FakeRates {
  public static let base = CurrencyCode("USD")

  /// Returns weekly rows of `date,currency,rate`; a rate is in units of the currency per US dollar.
  public static func csv(until now: Instant, days: Int = 3 * 365) -> String {
    var lines = ["date,currency,rate"]
    let today = now.rawValue / Milliseconds.day
    for back in stride(from: days, through: 0, by: -7) {
      let day = Instant(milliseconds: (today - Int64(back)) * Milliseconds.day)
      for (index, store) in Storefront.all.enumerated() where store.currency != base {
        var random = SplitMix64(seed: 7, index: index, stream: UInt64(bitPattern: today - Int64(back)))
        // Up to 3 % above or below the ratio of the price points.
        let perMille = 970 + Int64(random.unit() * 60)
        let tenThousandths = store.hundredDollars * perMille / 10
        let digits = String(10_000 + tenThousandths % 10_000).dropFirst()
        lines.append("\(day.dateText),\(store.currency),\(tenThousandths / 10_000).\(digits)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
