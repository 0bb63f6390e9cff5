import Subscriptions

/// Probabilities of the events of a period, chosen so that every panel always has data.
struct Odds: Sendable {
  // Events that end the period, tried in this order. If none occurs, the period renews.
  var switchesOff = 0.03
  var billingFails = 0.22
  var productIsGone = 0.005
  var endsForOtherReasons = 0.008
  /// Request for consent to a higher price; 40 % refuse.
  var isAskedForConsent = 0.02
  // Events during the period.
  var isRefunded = 0.02
  var isRefundedLater = 0.05
  var movesUp = 0.08
  var plansChange = 0.045
  var switchesOffAndOn = 0.04
  var isGivenOffer = 0.012
  var isRestored = 0.004

  init(of term: Term, customer: Customer) {
    switch (term.product.period.unit, term.product.period.count) {
    case (.week, _), (.day, _):
      (switchesOff, billingFails, productIsGone, endsForOtherReasons) = (0.012, 0.06, 0.0012, 0.0012)
      (isAskedForConsent, isRefunded, isRefundedLater) = (0.003, 0.006, 0.016)
      (movesUp, plansChange, switchesOffAndOn, isGivenOffer) = (0.025, 0.006, 0.01, 0)
    case (.month, 1): break
    case (.month, _):
      (switchesOff, billingFails, movesUp) = (0.09, 0.18, 0.16)
      (productIsGone, endsForOtherReasons) = (0.01, 0.01)
    case (.year, _):
      (switchesOff, billingFails, productIsGone, endsForOtherReasons) = (0.18, 0.2, 0.012, 0.012)
      (isAskedForConsent, isRefunded, isRefundedLater) = (0.05, 0.07, 0.06)
      (movesUp, plansChange, switchesOffAndOn, isGivenOffer) = (0.25, 0.15, 0.1, 0.08)
    }
    if term.isTrial {
      (switchesOff, billingFails, productIsGone, endsForOtherReasons) = (0.24, 0.1, 0.002, 0.004)
      (isAskedForConsent, isRefunded, isRefundedLater) = (0, 0, 0)
      (movesUp, plansChange, switchesOffAndOn, isGivenOffer) = (0.06, 0.02, 0.04, 0)
    }
    if let stories = customer.stories { setStoryOdds(term, stories) }
    if customer.isSandbox {
      (billingFails, isAskedForConsent, isRefundedLater, isGivenOffer) = (0.01, 0, 0, 0)
      (isRefunded, movesUp) = (0.01, 0.08)
    }
    if customer.isFamilyMember {
      (isRefunded, isRefundedLater, movesUp, plansChange) = (0, 0, 0, 0)
      (isAskedForConsent, switchesOffAndOn, isGivenOffer, isRestored) = (0, 0, 0, 0)
    }
    for rate in [\Odds.switchesOff, \.billingFails, \.isRefunded, \.movesUp, \.plansChange] {
      self[keyPath: rate] *= customer.restlessness
    }
  }
}

/// Probabilities of a healthy app, so that the stories are visible in its figures.
extension Odds {
  mutating func setStoryOdds(_ term: Term, _ stories: Stories) {
    (productIsGone, endsForOtherReasons, isAskedForConsent) = (0.0006, 0.001, 0)
    switch (term.product.period.unit, term.product.period.count) {
    case (.week, _), (.day, _):
      (switchesOff, billingFails, isRefunded, isRefundedLater) = (0.02, 0.015, 0.002, 0.003)
      (movesUp, plansChange, switchesOffAndOn) = (0.008, 0.004, 0.008)
    case (.month, 1):
      (switchesOff, billingFails, isRefunded, isRefundedLater) = (0.035, 0.045, 0.005, 0.006)
      (movesUp, plansChange, switchesOffAndOn) = (0.022, 0.016, 0.03)
    case (.month, _):
      (switchesOff, billingFails, isRefunded, isRefundedLater) = (0.09, 0.05, 0.01, 0.01)
      (movesUp, plansChange, switchesOffAndOn) = (0.06, 0.04, 0.05)
    case (.year, _):
      (switchesOff, billingFails, isRefunded, isRefundedLater) = (0.22, 0.06, 0.025, 0.015)
      (movesUp, plansChange, switchesOffAndOn) = (0.08, 0.06, 0.08)
    }
    if term.isTrial {
      (switchesOff, billingFails, isRefunded, isRefundedLater) = (0.36, 0.05, 0, 0)
      (movesUp, plansChange, switchesOffAndOn) = (0.05, 0.02, 0.04)
    }
    if term.trialCode == Stories.campaignCode { switchesOff = 0.62 }
    if stories.cardTrouble.contains(term.expires), !term.isTrial { billingFails = Stories.cardTroubleShare }
  }
}
