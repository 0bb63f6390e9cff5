import Subscriptions

extension Sample {
  static var offers: OfferFigures {
    var figures = OfferFigures()
    figures.offers = [
      offer(.trial, nil, weekly, 212, 61, 88, 63, cost: [usd(105_788)], brought: [usd(166_168)]),
      offer(.code, "SPRING26", monthly, 160, 34, 71, 55, cost: [usd(79_840)], brought: [usd(141_858)]),
      offer(
        .trial, nil, monthly, 96, 22, 41, 33, cost: [usd(30_969)], brought: [usd(82_917)], unpriced: 65,
        balance: [usd(-4179)]),
      offer(.intro, nil, yearly, 48, 40, 5, 3, cost: [usd(96_000)], brought: [usd(29_995)]),
      offer(.promo, "stay_half_price", european, 31, 12, 11, 8, cost: [eur(13_950)], brought: [eur(19_778)]),
      offer(.winback, "back-for-3", monthly, 24, 9, 4, 11, cost: [usd(16_776)], brought: [usd(7992)]),
      offer(.code, "PARTNER", european, 7, 7, 0, 0, cost: [eur(3143), usd(999)], brought: []),
    ]
    figures.priceIncreases.asked = 148
    figures.priceIncreases.agreed = 109
    figures.priceIncreases.running = 20
    figures.priceIncreases.lapsed = 19
    figures.priceIncreases.pending = 21
    figures.priceIncreases.lost = 18
    figures.pending = (0..<21).map(pending)
    figures.optOuts.turnedOff = 131
    figures.optOuts.turnedOnAgain = 17
    figures.optOuts.lapsed = 52
    figures.optOuts.running = 62
    figures.optOuts.atStake = 39
    figures.optOuts.atStakeMrr = sum([
      monthlyRevenue(24, of: weekly), monthlyRevenue(12, of: monthly), monthlyRevenue(3, of: european),
    ])
    return figures
  }

  private static func pending(_ index: Int) -> OfferFigures.Pending {
    let hours = Int64(index * index + index * 5 + 7)
    let chain = OriginalTransactionID("\(310_000_877_104_512 + index * 6_113)")
    let user = index % 4 == 2 ? nil : AppUserID("user-\(4830 + index * 29)")
    return OfferFigures.Pending(
      chain, user: user, product: index % 3 == 0 ? yearly : monthly, expires: now + hours * Milliseconds.hour,
      at: now)
  }

  private static func offer(
    _ kind: PeriodKind, _ name: String?, _ product: ProductID, _ started: Int, _ running: Int,
    _ converted: Int, _ lost: Int, cost: [Money], brought: [Money],
    unpriced: Int = 0, balance: [Money]? = nil
  ) -> OfferFigures.Offer {
    var offer = OfferFigures.Offer(kind, offer: name, product: product)
    (offer.started, offer.running, offer.converted, offer.lost) = (started, running, converted, lost)
    offer.cost = Amounts(cost)
    offer.brought = Amounts(brought)
    offer.unpriced = unpriced
    let taken = cost.map { Money(micros: -$0.micros, currency: $0.currency) }
    offer.balance = Amounts(balance ?? brought + taken)
    return offer
  }
}
