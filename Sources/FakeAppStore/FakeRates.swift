import Subscriptions

/// Made-up exchange rates for the currencies of the fake's storefronts, of every day of the last years: `import rates` reads them.
public enum FakeRates {
  /// What the rates are relative to.
  public static let base = CurrencyCode("USD")

  /// `date,currency,rate`: units of the currency for one US dollar, a little more or less each week.
  public static func csv(until now: Instant, days: Int = 3 * 365) -> String {
    var lines = ["date,currency,rate"]
    let today = now.rawValue / Milliseconds.day
    for back in stride(from: days, through: 0, by: -7) {
      let day = Instant(milliseconds: (today - Int64(back)) * Milliseconds.day)
      for (index, store) in Storefront.all.enumerated() where store.currency != base {
        var random = SplitMix64(seed: 7, index: index, stream: UInt64(bitPattern: today - Int64(back)))
        // Up to 3 % beside what the price points say.
        let perMille = 970 + Int64(random.unit() * 60)
        let tenThousandths = store.hundredDollars * perMille / 10
        let digits = String(10_000 + tenThousandths % 10_000).dropFirst()
        lines.append("\(day.dateText),\(store.currency),\(tenThousandths / 10_000).\(digits)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
