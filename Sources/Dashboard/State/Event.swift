import Screen
import Subscriptions

/// Server that a shared view's figures come from.
public struct SharedOrigin: Hashable, Sendable {
  public var place: String
  /// Published stores with older figures than the others, such as `eu as of 2026-11-21 09:05`.
  public var late: [String]

  public init(place: String, late: [String]) { (self.place, self.late) = (place, late) }

  var words: StyledText {
    late.first.map { first in
      StyledText("\(first)\(late.count > 1 ? ", \(late.count - 1) more" : ""), from \(place)", .warn)
    } ?? StyledText("from \(place)", .dim)
  }
}

/// An input of the dashboard's state machine; see `update(_:_:)`. Texts and reasons are sentences.
public enum Event: Sendable {
  case opened
  case input(InputEvent)
  /// Time has passed. Sent before every batch of other events, and at `State.wakesAt`.
  ///
  /// - Parameters:
  ///   - now: Current instant of the figures. In a demo it may run fast.
  ///   - uptime: Monotonic clock in milliseconds.
  case tick(now: Instant, uptime: Int64)
  /// Answers carry the serial of their query. Only answers to the newest queries are used.
  case loaded(Report, serial: Int)
  case rowsLoaded(FigureRows, serial: Int)
  case comparedLoaded(Report, with: Report, serial: Int)
  case alertsLoaded([AlertState], serial: Int)
  case reading(_ read: Int, serial: Int)
  case arranged(Page, serial: Int)
  /// Chains found by an id; empty if the id is unknown.
  case found([ChainReport], serial: Int)
  case suggested(IDSuggestions, serial: Int)
  case encoded(String, serial: Int)
  case originsLoaded([CohortOrigin], serial: Int)
  /// Comparison with Apple's reports; `nil` if no report is imported.
  case reconciled(Reconciliation?, [Payout], serial: Int)
  case statusLoaded(StoreStatus, serial: Int)
  case queueLoaded(QueueReport, serial: Int)
  case failed(_ reason: String, serial: Int)
  case receiptsLoaded(ReceiptLines, serial: Int)
  case sweepCounted(SweepSelection, SweepEstimate, serial: Int)
  case sweepTooLate(SweepSelection)
  /// Result of an action, for a toast.
  case noted(_ text: String, isBad: Bool)
  /// Background colour that the terminal reported.
  case background(isLight: Bool)
  /// A program from the configuration has ended. `failure` describes a failure; `nil` means success.
  case ran(name: String, lines: [String], failure: String?)
  case receiving(ListenerStatus)
  /// The listener for notifications is unavailable.
  case notReceiving(_ reason: String)
  case storeChanged
  /// A shared view has a new state; see `SharedOrigin`.
  case shared(SharedOrigin)
  case sweepStarted
  case sweepProgress(SweepProgress)
  case sweepFinished(SweepSummary)
  case sweepFailed(_ reason: String)
}
