import Subscriptions

/// How likely what is in one period of a product: the dice of a line. Set so that at any time every panel has something to show.
struct Odds: Sendable {
  // At the end of the period, in this order; the rest renews.
  var switchesOff = 0.03
  var billingFails = 0.22
  var productIsGone = 0.005
  var endsForOtherReasons = 0.008
  /// Is asked to agree to a higher price, and a third refuses.
  var isAskedForConsent = 0.02
  // Within the period.
  var isRefunded = 0.02
  var isRefundedLater = 0.05
  var movesUp = 0.08
  var plansChange = 0.045
  var switchesOffAndOn = 0.04
  var isGivenOffer = 0.012
  var isRestored = 0.004

  init(of term: Term, customer: Customer) {
    switch (term.product.period.unit, term.product.period.count) {
    case (.week, _), (.day, _): setWeekly()
    case (.month, 1): break
    case (.month, _): setSeasonal()
    case (.year, _): setYearly()
    }
    if term.isTrial { setTrial() }
    if let stories = customer.stories { setTold(term, stories) }
    if customer.isSandbox { setSandbox() }
    if customer.isFamilyMember { setFamily() }
    for rate in [\Odds.switchesOff, \.billingFails, \.isRefunded, \.movesUp, \.plansChange] {
      self[keyPath: rate] *= customer.restlessness
    }
  }

  private mutating func setWeekly() {
    (switchesOff, billingFails, productIsGone, endsForOtherReasons) = (0.012, 0.06, 0.0012, 0.0012)
    (isAskedForConsent, isRefunded, isRefundedLater) = (0.003, 0.006, 0.016)
    (movesUp, plansChange, switchesOffAndOn, isGivenOffer) = (0.025, 0.006, 0.01, 0)
  }

  private mutating func setSeasonal() {
    (switchesOff, billingFails, movesUp) = (0.09, 0.18, 0.16)
    (productIsGone, endsForOtherReasons) = (0.01, 0.01)
  }

  private mutating func setYearly() {
    (switchesOff, billingFails, productIsGone, endsForOtherReasons) = (0.18, 0.2, 0.012, 0.012)
    (isAskedForConsent, isRefunded, isRefundedLater) = (0.05, 0.07, 0.06)
    (movesUp, plansChange, switchesOffAndOn, isGivenOffer) = (0.25, 0.15, 0.1, 0.08)
  }

  private mutating func setTrial() {
    (switchesOff, billingFails, productIsGone, endsForOtherReasons) = (0.24, 0.1, 0.002, 0.004)
    (isAskedForConsent, isRefunded, isRefundedLater) = (0, 0, 0)
    (movesUp, plansChange, switchesOffAndOn, isGivenOffer) = (0.06, 0.02, 0.04, 0)
  }

  private mutating func setSandbox() {
    (billingFails, isAskedForConsent, isRefundedLater, isGivenOffer) = (0.01, 0, 0, 0)
    (isRefunded, movesUp) = (0.01, 0.08)
  }

  private mutating func setFamily() {
    (isRefunded, isRefundedLater, movesUp, plansChange) = (0, 0, 0, 0)
    (isAskedForConsent, switchesOffAndOn, isGivenOffer, isRestored) = (0, 0, 0, 0)
  }
}
