import Screen
import Subscriptions

/// Server from which a shared view gets its figures.
public struct SharedOrigin: Hashable, Sendable {
  public var place: String
  /// Stores with figures an hour or more older than the newest, such as `eu as of 2026-11-21 09:05`.
  public var late: [String]

  public init(place: String, late: [String]) { (self.place, self.late) = (place, late) }

  var words: StyledText {
    late.first.map { first in
      StyledText("\(first)\(late.count > 1 ? ", \(late.count - 1) more" : ""), from \(place)", .warn)
    } ?? StyledText("from \(place)", .dim)
  }
}

/// Input of the dashboard's state machine, `update(_:_:)`.
public enum Event: Sendable {
  case opened
  case input(InputEvent)
  /// Passage of time, sent before every batch of other events and at `State.wakesAt`.
  ///
  /// - Parameters:
  ///   - now: Current instant of the figures, which may run fast in a demo.
  ///   - uptime: Monotonic clock in milliseconds.
  case tick(now: Instant, uptime: Int64)
  /// Answer to `Effect.load`; like every answer, it is ignored if a newer query of its kind was sent.
  case loaded(Report, serial: Int)
  case rowsLoaded(FigureRows, serial: Int)
  case comparedLoaded(Report, with: Report, serial: Int)
  case alertsLoaded([AlertState], serial: Int)
  case reading(_ read: Int, serial: Int)
  case arranged(Page, serial: Int)
  case found([ChainReport], serial: Int)
  case suggested(IDSuggestions, serial: Int)
  case encoded(String, serial: Int)
  case originsLoaded([CohortOrigin], serial: Int)
  /// Comparison with Apple's reports; `nil` if no daily report is in the window.
  /// `reported` has the days of other reports if the window has none.
  case reconciled(Reconciliation?, [Payout], reported: ClosedRange<CivilDate>? = nil, serial: Int)
  case statusLoaded(StoreStatus, serial: Int)
  case queueLoaded(QueueReport, serial: Int)
  case failed(_ reason: String, serial: Int)
  case receiptsLoaded(ReceiptLines, serial: Int)
  case sweepCounted(SweepSelection, SweepEstimate, serial: Int)
  case sweepTooLate(SweepSelection)
  /// Result of an action as a sentence, for a toast.
  case noted(_ text: String, isBad: Bool)
  /// Background colour that the terminal reported.
  case background(isLight: Bool)
  /// End of a program from the configuration; `failure` is `nil` if it succeeded.
  case ran(name: String, lines: [String], failure: String?)
  case receiving(ListenerStatus)
  /// The listener for notifications cannot run.
  case notReceiving(_ reason: String)
  case storeChanged
  case shared(SharedOrigin)
  case sweepStarted
  case sweepProgress(SweepProgress)
  case sweepFinished(SweepSummary)
  case sweepFailed(_ reason: String)
}
