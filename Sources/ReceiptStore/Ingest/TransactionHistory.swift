import Subscriptions

/// What validations showed of the end of a period.
struct ShownEnds: Hashable {
  var ends: PeriodEnds
  /// Shown by `in_app` alone, which lags: it adds what was unknown and takes nothing back.
  var isLagging: Bool

  /// What two answers of the same instant say together.
  static func sum(_ left: Self, _ right: Self) -> Self {
    Self(ends: left.ends.adding(right.ends), isLagging: left.isLagging && right.isLagging)
  }
}

typealias TransactionHistory = Runs<ShownEnds>

extension Runs<ShownEnds> {
  /// The ends that were known, oldest first: an answer sets them, and one that lags adds to them.
  var knownEnds: [EndsObservation] {
    var known: [EndsObservation] = []
    for run in runs {
      let old = known.last?.ends
      let ends = run.value.isLagging ? old?.adding(run.value.ends) ?? run.value.ends : run.value.ends
      if ends != old {
        known.append(EndsObservation(ends: ends, from: run.from, through: run.through))
      } else if run.value.ends == ends {
        known[known.count - 1].through = run.through
      }
    }
    return known
  }
}

extension PeriodEnds {
  /// Everything that either says: the later end, and a cancellation or an upgrade that one of them knows of.
  func adding(_ other: Self) -> Self {
    let mine = (cancellationDate ?? .distantPast, cancellationReason ?? "")
    let theirs = (other.cancellationDate ?? .distantPast, other.cancellationReason ?? "")
    let cancelled = mine >= theirs ? self : other
    return PeriodEnds(
      expiresDate: [expiresDate, other.expiresDate].compactMap(\.self).max(),
      cancellationDate: cancelled.cancellationDate, cancellationReason: cancelled.cancellationReason,
      isUpgraded: isUpgraded || other.isUpgraded)
  }
}

extension Transaction {
  /// This transaction with what another sighting of it says, apart from its end: the same, whichever came first. Apple does
  /// not change these fields; older answers lack some of them.
  func filled(from other: Transaction) -> Transaction {
    var sum = self
    sum.webOrderLineItemID = [webOrderLineItemID, other.webOrderLineItemID].compactMap(\.self).max()
    sum.productID = max(productID, other.productID)
    sum.subscriptionGroupIdentifier =
      [subscriptionGroupIdentifier, other.subscriptionGroupIdentifier].compactMap(\.self).max()
    sum.quantity = max(quantity, other.quantity)
    sum.purchaseDate = max(purchaseDate, other.purchaseDate)
    sum.originalPurchaseDate = [originalPurchaseDate, other.originalPurchaseDate].compactMap(\.self).max()
    sum.isTrialPeriod = isTrialPeriod || other.isTrialPeriod
    sum.isInIntroOfferPeriod = isInIntroOfferPeriod || other.isInIntroOfferPeriod
    sum.inAppOwnershipType =
      [inAppOwnershipType, other.inAppOwnershipType].min(by: OwnershipType.tellsMore)
      ?? inAppOwnershipType
    sum.promotionalOfferID = [promotionalOfferID, other.promotionalOfferID].compactMap(\.self).max()
    sum.offerCodeRefName = [offerCodeRefName, other.offerCodeRefName].compactMap(\.self).max()
    sum.terms = terms.map { mine in other.terms.map(mine.adding) ?? mine } ?? other.terms
    sum.appAccountToken = [appAccountToken, other.appAccountToken].compactMap(\.self).max()
    return sum
  }
}

extension OwnershipType {
  /// Purchased is also what an answer without the field comes to.
  fileprivate static func tellsMore(_ left: Self, _ right: Self) -> Bool {
    (left == .purchased ? 1 : 0, left.rawValue) < (right == .purchased ? 1 : 0, right.rawValue)
  }
}
