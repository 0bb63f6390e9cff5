/// A change from one set of positions to another, by its name: METRICS §5.
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
}

extension Flow {
  /// The table of METRICS §5; nil where it names none.
  ///
  /// - Parameters:
  ///   - ofTrial: whether the row before the change was a trial's.
  ///   - wasPaid: whether the line was paid at any time before.
  init?(from old: PositionSet, to new: PositionSet, ofTrial: Bool, wasPaid: Bool) {
    guard old != new else { return nil }
    switch (old, new) {
    case (.none, .paid): self = .new
    case (.trial, .paid): self = .converted
    case (.retry, .paid) where ofTrial: self = .converted
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
    case (.retry, .out) where ofTrial: self = .trialLost
    case (.paid, .out), (.retry, .out): self = .lost
    case (.unattributed, .out) where !ofTrial: self = .lost
    case (.unattributed, .out): self = .trialLost
    default: return nil
    }
  }
}
