import Subscriptions

extension Stories {
  var scriptedStart: Instant { (founded - 330 * Milliseconds.day).wholeSecond }
}

/// Scripted life of user-4821, which has one of everything: a trial, an upgrade, a failed renewal that is
/// paid in the grace period, a refund, a cancellation, a win-back offer and a price increase with consent.
extension LineLife {
  /// Returns the period after which the life continues at random.
  mutating func scriptedLife(_ stories: Stories) -> Term? {
    guard let plus = product("plus.monthly"), let pro = product("pro.monthly") else { return nil }
    let day = Milliseconds.day
    let trial = customer.term(plus, .trial, at: stories.scriptedStart)
    _ = begin(trial)
    let first = renewal(of: trial, as: plus)
    _ = begin(first)
    let second = renewal(of: first, as: plus)
    let replaced = begin(second)
    let moved = (second.purchase + 12 * day).wholeSecond
    change(row: replaced) { row in
      row.transaction.isUpgraded = true
      row.upgradedFrom = moved
      row.cancel(at: moved + 2 * Milliseconds.second, reason: "0")
    }
    var term = customer.term(pro, at: moved)
    for _ in 0..<2 {
      _ = begin(term)
      term = renewal(of: term, as: pro)
    }
    _ = begin(term)
    let paid = paysInGrace(after: term)
    _ = begin(paid)
    let refunded = renewal(of: paid, as: pro)
    let row = begin(refunded)
    change(row: row) { $0.cancel(at: refunded.expires + 4 * day, reason: "1") }
    let last = renewal(of: refunded, as: pro)
    _ = begin(last)
    switchesOff(in: last)
    let back = customer.term(
      pro, at: (stories.winBack.lowerBound + 2 * day + 3 * Milliseconds.hour).wholeSecond,
      winBack: Stories.winBackOffer)
    _ = begin(back)
    let asked = renewal(of: back, as: pro)
    _ = begin(asked)
    return askForConsent(
      in: asked, at: asked.purchase + 20 * Milliseconds.hour, agreed: asked.purchase + 6 * day)
  }

  private func product(_ name: String) -> FakeProduct? {
    FakeCatalog.products.first { $0.id.rawValue == "com.example.lumen." + name }
  }

  private mutating func paysInGrace(after term: Term) -> Term {
    var info = renewing(term)
    info.isInBillingRetryPeriod = true
    info.gracePeriodExpiresDate = graceEnd(of: term)
    info.expirationIntent = .billingError
    say(info, from: term.expires)
    return recovery(of: term, at: term.expires + 9 * Milliseconds.day, startsAtExpiry: true)
  }

  private mutating func switchesOff(in term: Term) {
    var info = renewing(term)
    info.autoRenewStatus = false
    say(info, from: (term.purchase + 14 * Milliseconds.day).wholeSecond)
    info.isInBillingRetryPeriod = false
    info.expirationIntent = .customerCancelled
    say(info, from: term.expires)
    renewals = 0
  }
}
