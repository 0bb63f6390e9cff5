import Subscriptions

/// Attributes of a subscriber's line, from which its history is generated.
struct Customer: Sendable {
  let subscriber: Subscriber
  /// Number of the line within its subscriber; ids and random numbers are derived from this number.
  let track: Int
  let group: SubscriptionGroupID
  let starts: Instant
  /// Factor for the odds of cancellations, failures, refunds and changes of plan; small for loyal customers.
  var restlessness = 1.0
  var isFounder = false
  /// Whether the customer prefers weekly plans, whose many renewals make a long receipt.
  var prefersWeekly = false
  var tookCode = false

  var stories: Stories? { subscriber.stories }
  var isSandbox: Bool { subscriber.isSandbox }
  var isFamilyMember: Bool { subscriber.isFamilyMember }

  private func number(_ serial: Int, _ kind: FakeID.Kind) -> String {
    FakeID(isSandbox: isSandbox, kind: kind, index: subscriber.index, place: track * 512 + serial).text
  }

  func transactionID(_ serial: Int) -> TransactionID { TransactionID(number(serial, .transaction)) }
  var originalTransactionID: OriginalTransactionID { OriginalTransactionID(number(0, .transaction)) }
  func webOrderLineItemID(_ serial: Int) -> WebOrderLineItemID {
    WebOrderLineItemID(number(serial, .webOrderLineItem))
  }
}

/// Period of a subscription, before its row is added.
struct Term: Sendable {
  var product: FakeProduct
  var offer: Offer = .standard
  /// Offer code of a free period, which receipts show as a trial with the code's name.
  var trialCode: String?
  /// Win-back offer of the purchase, which only signed data contains.
  var winBack: String?
  var purchase: Instant
  var expires: Instant
  var visibleFrom: Instant
  var isRenewal = false

  var isTrial: Bool { offer == .trial }
  var length: Int64 { expires - purchase }

  func instant(between first: Double, and last: Double, _ random: inout SplitMix64) -> Instant {
    let fraction = first + (last - first) * random.unit()
    return (purchase + Int64(Double(length) * fraction)).wholeSecond
  }

  func renewalShown(_ random: inout SplitMix64) -> Instant {
    let most = min(Milliseconds.day, length / 10)
    return (expires - random.between(most / 24, most)).wholeSecond
  }
}

extension Instant {
  var wholeSecond: Instant { Instant(milliseconds: rawValue - rawValue % Milliseconds.second) }
}

extension Customer {
  /// Returns the end of a period; in the sandbox, a week takes 3 minutes and a year an hour.
  func expiry(of period: Period, from purchase: Instant) -> Instant {
    guard isSandbox else { return PacificTime.adding(period, to: purchase) }
    let minutes: Int64 =
      switch period.unit {
      case .day, .week: 3 * Int64(max(1, period.count / 7))
      case .month: 5 * Int64(period.count)
      case .year: 60 * Int64(period.count)
      }
    return purchase + minutes * Milliseconds.minute
  }

  func term(
    _ product: FakeProduct, _ offer: Offer = .standard, at purchase: Instant, shown: Instant? = nil,
    trialCode: String? = nil, winBack: String? = nil, isRenewal: Bool = false
  ) -> Term {
    let period =
      switch offer {
      case .trial: trialCode == nil ? product.trial ?? product.period : Period(1, .month)
      case .intro: product.introPeriod ?? product.period
      default: product.period
      }
    return Term(
      product: product, offer: offer, trialCode: trialCode, winBack: winBack, purchase: purchase,
      expires: expiry(of: period, from: purchase), visibleFrom: shown ?? purchase, isRenewal: isRenewal)
  }
}
