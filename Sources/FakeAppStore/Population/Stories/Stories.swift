import Subscriptions

/// Dates and shares of the events in the fictional app's history, in the year before the founding.
public struct Stories: Hashable, Sendable {
  public let founded: Instant

  public init(founded: Instant) { self.founded = founded }

  private func days(_ first: Int64, _ last: Int64) -> Range<Instant> {
    founded + first * Milliseconds.day..<founded + last * Milliseconds.day
  }

  // MARK: An offer code

  /// Dates of fairs that handed out a code for a free month; customers with the code cancel more often.
  public var campaign: Range<Instant> { days(-110, -82) }
  public static let campaignCode = "FAIR26"
  public static let campaignProduct = ProductID("com.example.lumen.plus.monthly")
  static let campaignShare = 0.05

  // MARK: A card network's bad week

  /// Week in which many renewals failed; most were paid in two weeks, a tenth later, and a fifth never.
  public var cardTrouble: Range<Instant> { days(-84, -77) }
  static let cardTroubleShare = 0.35
  /// Share of the failed renewals paid in two weeks; `cardTroubleIsOverLate` also includes later payments.
  static let cardTroubleIsOver = 0.7
  static let cardTroubleIsOverLate = 0.8

  /// Whether a plan has a grace period; only the highest level has one, so that both cases can be compared.
  static func hasGrace(_ product: FakeProduct) -> Bool { product.level == 1 }

  // MARK: A win-back offer

  /// Week of a half-price offer to customers who had cancelled and whose access ended 30 to 400 days earlier.
  public var winBack: Range<Instant> { days(-45, -38) }
  public static let winBackOffer = "winback.month"
  static let winBackShare = 0.16
  static let winBackGone = 30 * Milliseconds.day...400 * Milliseconds.day

  // MARK: A bad release

  /// Week after a release that crashed; some recent customers got a refund for it.
  public var badRelease: Range<Instant> { days(-17, -10) }
  static let badReleaseShare = 0.05
  static let badReleaseReach = 35 * Milliseconds.day

  // MARK: A price increase

  public static let risenProduct = ProductID("com.example.lumen.pro.monthly")
  /// Start of the requests for consent to the higher price.
  public var riseAnnounced: Instant { priceRise - 27 * Milliseconds.day }
  /// Start of renewals at the higher price for customers who consented: midnight UTC, as in a catalog.
  public var priceRise: Instant {
    let day = founded.rawValue / Milliseconds.day - 8
    return Instant(milliseconds: day * Milliseconds.day)
  }
  static let risenPrice = Money(micros: 12_990_000, currency: CurrencyCode("USD"))
  /// Share of customers who consent; all other subscriptions end, so revenue falls after the increase.
  static let agreesToRise = 0.5

  public var catalog: [CatalogEntry] {
    FakeCatalog.entries + [
      CatalogEntry(
        productID: Self.risenProduct, subscriptionGroupID: FakeCatalog.membership, level: 1,
        period: Period(1, .month), offer: .standard, price: Self.risenPrice, validFrom: priceRise)
    ]
  }

  public var catalogCSV: String { FakeCatalog.csv(of: catalog) }

  /// Returns the price paid in micros; `nil` if no story changes the catalog's price.
  func micros(of row: Transaction) -> Int64? {
    switch row.kind {
    case .winback:
      var plain = row
      plain.terms = nil
      // Half the price, in whole cents.
      return FakeCatalog.micros(of: plain).map { $0 / 20_000 * 10_000 }
    case .standard where row.productID == Self.risenProduct && row.purchaseDate >= priceRise:
      return Self.risenPrice.single
    default: return nil
    }
  }
}
