import Subscriptions

/// What befell the fictional app in the year before the population was founded, for its figures to tell: what, when, and to how many.
///
/// Whoever is drawn with stories lives with the odds of a healthy app (`Odds.setTold`), so that each of them stands out.
public struct Stories: Hashable, Sendable {
  public let founded: Instant

  public init(founded: Instant) { self.founded = founded }

  private func days(_ first: Int64, _ last: Int64) -> Range<Instant> {
    founded + first * Milliseconds.day..<founded + last * Milliseconds.day
  }
}

// MARK: An offer code

extension Stories {
  /// At fairs in the United States a code for a free month was handed out. Of those who took it fewer stay than of those who tried by themselves.
  public var campaign: Range<Instant> { days(-110, -82) }
  public static let campaignCode = "FAIR26"
  public static let campaignProduct = ProductID("com.example.lumen.plus.monthly")
  /// Of all customers.
  static let campaignShare = 0.05
}

// MARK: A card network's bad week

extension Stories {
  /// In this week renewals failed that have nothing wrong with them. Most are paid within two weeks, some within the grace period;
  /// the lost ones are lost sixty days later.
  public var cardTrouble: Range<Instant> { days(-84, -77) }
  /// Of the renewals of that week.
  static let cardTroubleShare = 0.35
  /// Of those that failed: paid within two weeks, paid later, and never.
  static let cardTroubleIsOver = 0.7
  static let cardTroubleIsOverLate = 0.8

  /// The Billing Grace Period is on for the dearest plans alone, so that both can be compared.
  static func hasGrace(_ product: FakeProduct) -> Bool { product.level == 1 }
}

// MARK: A win-back offer

extension Stories {
  /// Who had left by their own will a month or longer before was offered half the price.
  public var winBack: Range<Instant> { days(-45, -38) }
  public static let winBackOffer = "winback.month"
  /// Of those who were asked.
  static let winBackShare = 0.16
  /// How long they have to be gone, and may be.
  static let winBackGone = 30 * Milliseconds.day...400 * Milliseconds.day
}

// MARK: A bad release

extension Stories {
  /// A release that crashed: so many of those who had paid in the weeks before got their money back for a problem with the app.
  public var badRelease: Range<Instant> { days(-17, -10) }
  static let badReleaseShare = 0.05
  static let badReleaseReach = 35 * Milliseconds.day
}

// MARK: A price increase

extension Stories {
  public static let risenProduct = ProductID("com.example.lumen.pro.monthly")
  /// Customers were asked from here on.
  public var riseAnnounced: Instant { priceRise - 27 * Milliseconds.day }
  /// Renewals from here on cost more, where the customer agreed. It is a catalogue's date.
  public var priceRise: Instant {
    let day = founded.rawValue / Milliseconds.day - 8
    return Instant(milliseconds: day * Milliseconds.day)
  }
  static let risenPrice = Money(micros: 12_990_000, currency: CurrencyCode("USD"))
  /// Of those who are asked; the rest lets the subscription end, so that revenue falls in the weeks after the rise.
  static let agreesToRise = 0.5

  /// The catalogue with the price that rose.
  public var catalog: [CatalogEntry] {
    FakeCatalog.entries + [
      CatalogEntry(
        productID: Self.risenProduct, subscriptionGroupID: FakeCatalog.membership, level: 1,
        period: Period(1, .month), offer: .standard, price: Self.risenPrice, validFrom: priceRise)
    ]
  }

  /// The same as `subtop import catalog` reads it.
  public var catalogCSV: String { FakeCatalog.csv(of: catalog) }

  /// What was paid, in millionths, where a story sets another price than the catalogue.
  func micros(of row: Transaction) -> Int64? {
    switch row.kind {
    case .winback:
      var plain = row
      plain.terms = nil
      // Half, in whole cents.
      return FakeCatalog.micros(of: plain).map { $0 / 20_000 * 10_000 }
    case .standard where row.productID == Self.risenProduct && row.purchaseDate >= priceRise:
      return Self.risenPrice.single
    default: return nil
    }
  }
}
