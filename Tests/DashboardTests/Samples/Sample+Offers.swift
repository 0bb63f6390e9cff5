import Subscriptions

extension Sample {
  static var offers: FigureValues {
    var figures = FigureValues()
    figures[parts: "offers"] = [
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
    for (path, count) in [
      ("price_increases.asked", 148), ("price_increases.agreed", 109), ("price_increases.running", 20),
      ("price_increases.lapsed", 19), ("price_increases.pending", 21), ("price_increases.lost", 18),
      ("opt_outs.turned_off", 131), ("opt_outs.turned_on_again", 17), ("opt_outs.lapsed", 52),
      ("opt_outs.running", 62), ("opt_outs.at_stake", 39),
    ] { figures[path] = count }
    figures[amounts: "opt_outs.at_stake_mrr"] = sum([
      monthlyRevenue(24, of: weekly), monthlyRevenue(12, of: monthly), monthlyRevenue(3, of: european),
    ])
    figures.consents = (0..<21).map(pending)
    return figures
  }

  private static func pending(_ index: Int) -> PendingConsent {
    let hours = Int64(index * index + index * 5 + 7)
    let chain = OriginalTransactionID("\(310_000_877_104_512 + index * 6_113)")
    let user = index % 4 == 2 ? nil : AppUserID("user-\(4830 + index * 29)")
    return PendingConsent(
      chain, user: user, product: index % 3 == 0 ? yearly : monthly, expires: now + hours * Milliseconds.hour,
      at: now)
  }

  private static func offer(
    _ kind: PeriodKind, _ name: String?, _ product: ProductID, _ started: Int, _ running: Int,
    _ converted: Int, _ lost: Int, cost: [Money], brought: [Money],
    unpriced: Int = 0, balance: [Money]? = nil
  ) -> FigureValues {
    var offer = FigureValues()
    (offer[text: "kind"], offer[text: "offer"], offer[text: "product_id"]) = (
      kind.rawValue, name, product.rawValue
    )
    (offer["started"], offer["running"], offer["converted"], offer["lost"]) = (
      started, running, converted, lost
    )
    (offer[amounts: "cost"], offer[amounts: "brought"]) = (Amounts(cost), Amounts(brought))
    offer["unpriced"] = unpriced
    let taken = cost.map { Money(micros: -$0.micros, currency: $0.currency) }
    offer[amounts: "balance"] = Amounts(balance ?? brought + taken)
    return offer
  }
}
