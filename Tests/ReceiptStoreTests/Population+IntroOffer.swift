import Subscriptions

extension Population {
  /// The transaction with which the users of a line used up the introductory offer of its group by `t`: the earliest, of any
  /// of their lines in the group and environment. Where nobody names a group or a user, the chain stands for them.
  func introOffer(of line: Line, usedBy t: Instant) -> TransactionID? {
    let users = line.users
    let related = lines.filter {
      ($0.id.originalTransactionID == line.id.originalTransactionID
        && $0.id.environment == line.id.environment
        && $0.id.subscriptionGroupID == line.id.subscriptionGroupID)
        || (line.id.subscriptionGroupID != nil && $0.id.subscriptionGroupID == line.id.subscriptionGroupID
          && $0.id.environment == line.id.environment && !$0.users.isDisjoint(with: users))
    }
    let uses = related.compactMap { $0.introOfferUse(by: t)?.transaction }
    return uses.min { ($0.purchaseDate, $0.transactionID) < ($1.purchaseDate, $1.transactionID) }?
      .transactionID
  }
}

extension Line {
  /// METRICS §5, Intro eligibility: the first row by which the line used up its group's introductory offer; nil where none
  /// has by `t`. Family-shared rows use up nothing.
  fileprivate func introOfferUse(by t: Instant) -> Row? {
    guard !isFamilyShared else { return nil }
    return rows.first {
      ($0.transaction.isTrialPeriod || $0.transaction.isInIntroOfferPeriod) && $0.purchase <= t
    }
  }
}
