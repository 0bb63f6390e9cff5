import Subscriptions

/// How likely what is in one period, where there are stories: those of a healthy app, so that the stories stand out.
extension Odds {
  mutating func setTold(_ term: Term, _ stories: Stories) {
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
