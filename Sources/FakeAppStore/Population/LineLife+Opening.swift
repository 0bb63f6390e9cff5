import Subscriptions

extension LineLife {
  /// The first purchase: a trial, an introductory price, an offer code or the list price.
  mutating func opening() -> Term? {
    if customer.isScripted, let stories = customer.stories { return scriptedLife(stories) }
    guard let product = firstProduct() else { return nil }
    let at = customer.starts
    if customer.tookCode { return customer.term(product, .trial, at: at, trialCode: Stories.campaignCode) }
    if customer.isFamilyMember || customer.isFounder { return customer.term(product, at: at) }
    if product.trial != nil, random.chance(trialShare) {
      let isFreeMonth = !product.codes.isEmpty && random.chance(0.06)
      return customer.term(product, .trial, at: at, trialCode: isFreeMonth ? product.codes.last : nil)
    }
    if product.introPeriod != nil, random.chance(0.45) { return customer.term(product, .intro, at: at) }
    if let code = random.pick(product.codes), random.chance(0.25) {
      return customer.term(product, .code(code), at: at)
    }
    return customer.term(product, at: at)
  }

  /// How many begin with a trial where there is one.
  private var trialShare: Double { customer.isNewcomer ? 0.95 : customer.stories == nil ? 0.55 : 0.8 }

  private mutating func firstProduct() -> FakeProduct? {
    let products = FakeCatalog.products(in: customer.group)
    if customer.tookCode { return products.first { $0.id == Stories.campaignProduct } }
    if customer.isFounder { return products.first { $0.id == FakeCatalog.unpricedProduct } }
    if customer.isFamilyMember { return random.pick(products.filter(\.isFamilyShareable)) }
    if customer.prefersWeekly { return products.first { $0.period.unit == .week } }
    let offered = customer.isNewcomer ? products.filter { $0.trial != nil } : products
    return random.pick(offered, weight: weight)
  }

  /// Years of weekly renewals are long receipts, of which a population with stories has few.
  private func weight(_ product: FakeProduct) -> Int {
    customer.stories != nil && product.period.unit == .week ? product.popularity / 3 : product.popularity
  }

  /// Months after a subscription ended, three in four customers come back: to the same plan or another, some for an offer.
  mutating func comeback(to product: FakeProduct, after end: Instant) -> Term? {
    renewals = 0
    if let turn = toldComeback(to: product, after: end) { return turn.next }
    guard random.chance(customer.isFamilyMember ? 0.2 : 0.75) else { return nil }
    let gap =
      random.chance(0.4)
      ? random.between(Milliseconds.day, 50 * Milliseconds.day)
      : random.between(50 * Milliseconds.day, 300 * Milliseconds.day)
    let at = (end + (customer.isSandbox ? gap / 20 : gap)).wholeSecond
    let products = FakeCatalog.products(in: customer.group)
    let isBackToOld = customer.isFamilyMember || customer.prefersWeekly || random.chance(0.6)
    let other = random.pick(products, weight: \.popularity) ?? product
    let chosen = isBackToOld ? product : other
    if let promotion = chosen.promotions.first, !customer.isFamilyMember, random.chance(0.4) {
      return customer.term(chosen, .promo(promotion), at: at)
    }
    if let code = random.pick(chosen.codes), random.chance(0.15) {
      return customer.term(chosen, .code(code), at: at)
    }
    return customer.term(chosen, at: at)
  }
}
