/// METRICS §5, Offers, Opt-outs and price increases: what became of rows that started at another price than the standard one in the
/// window, of lines that turned auto-renew off in it, and of those that were asked about a higher price.
public struct OfferFigures: Hashable, Sendable, Encodable {
  /// Rows of one kind, offer and product that started in the window.
  public struct Offer: Hashable, Sendable, Encodable {
    public var kind: PeriodKind
    /// Its identifier where Apple told one: `offer_code_ref_name`, `promotional_offer_id`, or the Server API's `offerIdentifier`.
    @ExplicitNull public var offer: String?
    public var productId: ProductID
    public var started = 0
    /// Of an offer with an identifier, those that started in the window before: of what began then the window tells no more than its end.
    public var startedBefore = 0
    /// Running at the window's end.
    public var running = 0
    /// Followed by a paid row at the standard price.
    public var converted = 0
    /// Followed by another row at an offer, as a price that holds for several periods is.
    public var renewed = 0
    /// Ended otherwise. With those that run, converted and renewed they are all that started.
    public var lost = 0
    /// Standard price less the price of the offer.
    public var cost = Amounts()
    /// Prices of the line's later rows.
    public var brought = Amounts()
    /// Those of which the cost, or something that the line bought later, has no price, which adds nothing.
    public var unpriced = 0
    /// What the others brought less what they cost; empty where there are none, of which nothing is known.
    public var balance = Amounts()

    public init(_ kind: PeriodKind, offer: String?, product: ProductID, in reporting: CurrencyCode? = nil) {
      self.kind = kind
      self.offer = offer
      productId = product
      (cost, brought, balance) = (Amounts(in: reporting), Amounts(in: reporting), Amounts(in: reporting))
    }

    /// Those that the balance is of.
    public var priced: Int { started - unpriced }

    /// Of its figures, in the report's JSON: `by_product.com.example.pro.offers.promo.SPRING`.
    public var path: String { "by_product.\(productId).\(FactKind.OfferUse.path(kind, offer))" }
  }

  /// Requests of the window to agree to a higher price, what became of each, and two figures of all lines whenever they were asked.
  public struct PriceIncreases: Hashable, Sendable, Encodable {
    public var asked = 0
    public var agreed = 0
    /// Not agreed to, and the period runs.
    public var running = 0
    /// The rest: the period ended first, or Apple asked anew.
    public var lapsed = 0
    /// Lines that have not answered at the window's end.
    public var pending = 0
    /// Lost in the window because they did not agree.
    public var lost = 0
    public init() {}
  }

  /// A line that has not yet agreed to a higher price.
  public struct Pending: Hashable, Sendable, Encodable {
    public var originalTransactionId: OriginalTransactionID
    @ExplicitNull public var appUserId: AppUserID?
    public var productId: ProductID
    public var expiresMs: Instant
    /// Whole days until it ends without consent.
    public var daysLeft: Int

    public init(
      _ original: OriginalTransactionID, user: AppUserID?, product: ProductID, expires: Instant, at t: Instant
    ) {
      originalTransactionId = original
      appUserId = user
      productId = product
      expiresMs = expires
      daysLeft = Int(clamping: (expires - t) / Milliseconds.day)
    }
  }

  /// Lines seen to turn auto-renew off in the window, each time that they did.
  public struct OptOuts: Hashable, Sendable, Encodable {
    public var turnedOff = 0
    /// Turned on again before the end of the period, or renewed nevertheless.
    public var turnedOnAgain = 0
    public var lapsed = 0
    public var running = 0
    /// Lines with auto-renew off whose period ends within 7 days of the window's end, and what they bring a month.
    public var atStake = 0
    public var atStakeMrr = Amounts()
    public init() {}
  }

  /// The most started first.
  public var offers: [Offer] = []
  public var priceIncreases = PriceIncreases()
  public var pending: [Pending] = []
  public var optOuts = OptOuts()

  public init() {}
}

extension OfferFigures {
  /// How many uses of an offer there are, and of how many the balance is.
  public struct Uses: Hashable, Sendable {
    public var priced = 0
    public var started = 0
  }

  /// Of which uses a balance is; nil where the figure is no balance, or all of them have prices.
  public func uses(behind figure: FigurePath) -> Uses? {
    let counted = offers.filter {
      "\(FactKind.OfferUse.path($0.kind, $0.offer)).balance" == figure.name
        && (figure.product ?? $0.productId) == $0.productId
    }
    let uses = counted.reduce(into: Uses()) { uses, offer in
      uses.priced += offer.priced
      uses.started += offer.started
    }
    return uses.priced < uses.started ? uses : nil
  }
}

extension OfferFigures.Pending {
  static func inOrder(_ left: Self, _ right: Self) -> Bool {
    left.expiresMs == right.expiresMs
      ? left.originalTransactionId < right.originalTransactionId : left.expiresMs < right.expiresMs
  }
}
