import Subscriptions

/// An event that a sweep reports to its watcher: progress repeatedly, then one end.
public enum SweepEvent: Sendable {
  case progress(SweepProgress)
  case finished(SweepSummary)
  case failed(SweepError)
}
