import Subscriptions

/// What a sweep mails to whoever watches it: progress at most ten times a second, and one end.
public enum SweepEvent: Sendable {
  case progress(SweepProgress)
  case finished(SweepSummary)
  case failed(SweepError)
}
