extension ReferenceModel.Line {
  var isChangePending: Bool {
    guard renewal?.autoRenew == true, let next = renewal?.nextProduct else { return false }
    return next != position?.row.row.product
  }

  var isConsentPending: Bool { renewal?.consents.contains("0") == true }

  /// Outcome of a due row: renewed, recovered, pending or lost (METRICS §5, "Renewals").
  func outcome(of period: ReferenceModel.Period) -> String {
    let isRenewed = periods.contains {
      $0.id != period.id && $0.row.start > period.row.start && $0.row.start <= period.end + ReferenceModel.day
        && $0.end > period.end
    }
    if isRenewed { return "renewed" }
    if isRecovered(after: period) { return "recovered" }
    let isOpen = ["grace", "billing_retry", "overdue"].contains(position?.state)
    return isOpen && period.id == position?.row.id ? "pending" : "lost"
  }

  private func isRecovered(after period: ReferenceModel.Period) -> Bool {
    guard let next = purchase(after: period.end), next <= period.end + 60 * ReferenceModel.day else {
      return false
    }
    return ["grace", "billing_retry", "unattributed"].contains(position(at: next - 1)?.state)
  }

  /// Time from a trial's effective end to the next row that is not a trial; `nil` if there is none.
  func conversionDelay(of trial: ReferenceModel.Period) -> Int? {
    periods.first { $0.row.start > trial.row.start && !$0.isTrial }.map { $0.row.start - trial.effectiveEnd }
  }

  /// Row whose product a row replaced at renewal; `nil` if the product did not change.
  func changedAtRenewal(_ period: ReferenceModel.Period) -> ReferenceModel.Period? {
    guard !periods.contains(where: { $0.successor?.id == period.id }) else { return nil }
    guard let before = periods.last(where: { period.isAfter($0) && !$0.row.isUpgraded }) else { return nil }
    let gap = period.row.start - before.end
    guard before.row.product != period.row.product, gap >= -ReferenceModel.day, gap <= 60 * ReferenceModel.day
    else {
      return nil
    }
    return before
  }
}
