import Subscriptions

/// Effects of `Stories` on a line; a population without stories draws no random numbers here.
extension LineLife {
  /// Decision of a story: the next period, or `.some(nil)` to end the line; `nil` if no story applies.
  typealias Turn = Term??

  /// Stories that affect the line; always `nil` for testers, family members and the scripted customer.
  private var stories: Stories? {
    customer.isSandbox || customer.isFamilyMember || customer.subscriber.isScripted ? nil : customer.stories
  }

  mutating func badRelease(in term: Term, row: Int) -> Turn {
    guard let week = stories?.badRelease, !term.isTrial, term.purchase < week.upperBound,
      term.expires > week.lowerBound, term.purchase > week.lowerBound - Stories.badReleaseReach,
      random.chance(Stories.badReleaseShare)
    else { return nil }
    let first = max(term.purchase + Milliseconds.hour, week.lowerBound)
    let at = instant(from: first, to: max(first, min(term.expires, week.upperBound)))
    return .some(refund(row: row, in: term, at: at, isAppIssue: true))
  }

  /// Returns the outcome of a renewal that failed in the week of `cardTrouble`: paid early, late, or never.
  mutating func cardTrouble(after term: Term, info: RenewalInfo, grace: Instant?) -> Turn {
    guard let week = stories?.cardTrouble, week.contains(term.expires), !term.isTrial else { return nil }
    let failed = term.expires
    let outcome = random.unit()
    guard outcome < Stories.cardTroubleIsOverLate else { return .some(failsForGood(term, info: info)) }
    let isSoon = outcome < Stories.cardTroubleIsOver
    let paid =
      isSoon
      ? instant(from: failed + Milliseconds.hour, to: failed + 14 * Milliseconds.day)
      : instant(from: failed + 17 * Milliseconds.day, to: failed + 55 * Milliseconds.day)
    let isInGrace = grace.map { paid <= $0 } ?? false
    return .some(recovery(of: term, at: paid, startsAtExpiry: isInGrace))
  }

  /// Asks for consent before the first renewal at the higher price; a refusal ends the line with intent 3.
  mutating func priceRise(at term: Term) -> Turn {
    guard let stories, term.product.id == Stories.risenProduct, !term.isTrial,
      term.purchase < stories.priceRise, term.expires >= stories.priceRise
    else { return nil }
    let first = max(stories.riseAnnounced, max(term.purchase, term.visibleFrom) + Milliseconds.hour)
    // The customer answers before the renewal becomes visible.
    let last = term.expires - 25 * Milliseconds.hour
    guard first + 2 * Milliseconds.hour <= last else { return nil }
    let asked = instant(from: first, to: min(first + 3 * Milliseconds.day, last - Milliseconds.hour))
    let agreed =
      random.chance(Stories.agreesToRise) ? instant(from: asked + Milliseconds.hour, to: last) : nil
    return .some(askForConsent(in: term, at: asked, agreed: agreed))
  }

  /// Returns the first period after a comeback, if any.
  ///
  /// A third of the customers return without an offer. Some of the others return with the win-back offer.
  mutating func storyComeback(to product: FakeProduct, after end: Instant) -> Turn {
    guard let stories, !customer.isFounder else { return nil }
    if random.chance(0.33) {
      return .some(customer.term(product, at: (end + absence()).wholeSecond))
    }
    let asked = stories.winBack
    guard spans.last?.info?.expirationIntent == .customerCancelled,
      Stories.winBackGone.contains(asked.lowerBound - end), random.chance(Stories.winBackShare)
    else { return .some(nil) }
    let at = instant(from: asked.lowerBound, to: asked.upperBound)
    return .some(customer.term(product, at: at, winBack: Stories.winBackOffer))
  }
}

extension Subscriber {
  /// Returns the price paid for a row, in micros of the catalog's currency; `nil` if it has no price.
  func micros(of row: Transaction) -> Int64? { stories?.micros(of: row) ?? FakeCatalog.micros(of: row) }
}

extension Stories {
  var scriptedStart: Instant { (founded - 330 * Milliseconds.day).wholeSecond }
}

/// History of user-4821, which has one event of each kind: a trial, an upgrade, a renewal paid in the grace
/// period, a refund, auto-renew switched off, a win-back offer, and a price increase with consent.
extension LineLife {
  /// Adds the scripted periods, and returns the first period that is random.
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
    let grace = graceEnd(of: term)
    show(renewing(term), from: term.expires) { $0.fail(.billingError, grace: grace) }
    return recovery(of: term, at: term.expires + 9 * Milliseconds.day, startsAtExpiry: true)
  }

  private mutating func switchesOff(in term: Term) {
    show(renewing(term), from: (term.purchase + 14 * Milliseconds.day).wholeSecond) {
      $0.autoRenewStatus = false
    }
    show(renewing(term), from: term.expires) { $0.end(.customerCancelled) }
    renewals = 0
  }
}
