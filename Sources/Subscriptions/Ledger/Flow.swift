/// Named change from one set of positions to another, or within Paid (METRICS §5).
public enum Flow: String, Hashable, Sendable, CaseIterable {
  case trialStarted = "trial_started"
  case new
  case converted
  case recovered
  case returned
  case resubscribed
  case toTrial = "to_trial"
  case toRetry = "to_retry"
  case toOverdue = "to_overdue"
  case toUnattributed = "to_unattributed"
  case lost
  case trialToRetry = "trial_to_retry"
  case trialToOverdue = "trial_to_overdue"
  case trialToUnattributed = "trial_to_unattributed"
  case trialLost = "trial_lost"
  /// Within Paid: another product at a higher price per month.
  case expansion
  /// Within Paid: another product at a lower price per month.
  case contraction
  /// Within Paid: another product and currency; a contraction in the old, an expansion in the new currency.
  case exchanged
  /// Within Paid: the same product at another price per month.
  case repriced

  var isWithinPaid: Bool { [.expansion, .contraction, .exchanged, .repriced].contains(self) }

  /// Finds the flow in the table of METRICS §5; `nil` if the table has none.
  ///
  /// - Parameter wasPaid: Whether the line was paid at any earlier time.
  init?(from old: ClassifiedPosition?, to new: ClassifiedPosition, wasPaid: Bool) {
    let (from, to) = (old?.kind.set ?? .none, new.kind.set)
    let isTrials = old?.kind.kind == .trial
    switch (from, to) {
    case (.paid, .paid):
      guard let old, let flow = Flow(withinPaid: old, new) else { return nil }
      self = flow
    case _ where from == to: return nil
    case (.none, .paid): self = .new
    case (.trial, .paid): self = .converted
    case (.retry, .paid) where isTrials: self = .converted
    case (_, .paid) where !wasPaid: self = .converted
    case (.retry, .paid): self = .recovered
    case (.unattributed, .paid), (.overdue, .paid): self = .returned
    case (_, .paid): self = .resubscribed
    case (.paid, .trial): self = .toTrial
    case (_, .trial): self = .trialStarted
    case (.trial, .retry): self = .trialToRetry
    case (.paid, .retry): self = .toRetry
    case (.trial, .overdue): self = .trialToOverdue
    case (.paid, .overdue): self = .toOverdue
    case (.trial, .unattributed): self = .trialToUnattributed
    case (.paid, .unattributed): self = .toUnattributed
    case (.trial, .out): self = .trialLost
    case (.retry, .out) where isTrials: self = .trialLost
    case (.paid, .out), (.retry, .out), (.unattributed, .out): self = .lost
    default: return nil
    }
  }

  /// Finds the flow within Paid (METRICS §5, Movement of MRR); `nil` if the monthly revenue stays the same.
  private init?(withinPaid old: ClassifiedPosition, _ new: ClassifiedPosition) {
    // An unpriced row counts as 0.
    let (before, after) = (old.kind.currency, new.kind.currency)
    guard old.monthlyMicros != new.monthlyMicros || before != after else { return nil }
    if old.kind.product == new.kind.product {
      self = .repriced
    } else if before != after, before != nil, after != nil {
      self = .exchanged
    } else if old.monthlyMicros == new.monthlyMicros {
      return nil
    } else {
      self = new.monthlyMicros > old.monthlyMicros ? .expansion : .contraction
    }
  }
}
