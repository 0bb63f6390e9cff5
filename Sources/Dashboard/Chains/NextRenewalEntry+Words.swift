import Screen
import Subscriptions

extension NextRenewalEntry {
  /// Returns the signed terms of the next renewal; `nil` if they add nothing to other rows.
  func words(isRunning: Bool, in wording: Wording) -> StyledText? {
    var parts: [StyledText] = []
    if isRunning, let priceMicros, let currency {
      parts.append([
        TextSpan("renews for ", .dim), TextSpan(MoneyText.of(micros: priceMicros, currency), .money),
        TextSpan(" on \(wording.date(renewalDateMs))", .dim),
      ])
    }
    if let commitment { parts.append(commitment.words(in: wording)) }
    if !eligibleWinBackOfferIds.isEmpty {
      parts.append([
        TextSpan("may come back with ", .dim),
        TextSpan(eligibleWinBackOfferIds.joined(separator: ", "), .accent),
      ])
    }
    return parts.isEmpty ? nil : parts.joined(by: "  ")
  }
}

extension NextRenewalEntry.Commitment {
  fileprivate func words(in wording: Wording) -> StyledText {
    let end = renewalDateMs.map { " ends on \(wording.date($0))" } ?? ""
    let after =
      switch autoRenewStatus {
      case true?:
        autoRenewProductId.map { ", then renews as \(wording.products.name(of: $0))" } ?? ", then renews"
      case false?: ", then it lapses"
      case nil: ""
      }
    return StyledText("the commitment\(end)\(after)")
  }
}

extension CommitmentEntry {
  /// *month 3 of 12 of a commitment until 2027-03-01*
  func words(in wording: Wording) -> StyledText {
    let number = billingPeriodNumber.map { "month \($0)" } ?? "a month"
    let total = totalBillingPeriods.map { " of \($0)" } ?? ""
    return StyledText(
      "\(number)\(total) of a commitment\(expiresMs.map { " until \(wording.date($0))" } ?? "")")
  }
}
