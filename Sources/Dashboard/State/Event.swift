import Screen
import Subscriptions

/// Everything that can happen to the dashboard.
public enum Event: Sendable {
  /// The program is up: asks for the first figures.
  case opened
  case input(InputEvent)
  /// Sent before every batch of other events, and when `State.wakesAt` has come.
  ///
  /// - Parameters:
  ///   - now: the instant that figures are of; a demo's may run fast.
  ///   - uptime: milliseconds by a clock that nobody sets.
  case tick(now: Instant, uptime: Int64)
  /// Answers carry the serial of what asked for them; all but the newest are dropped.
  case loaded(Report, serial: Int)
  case rowsLoaded(FigureRows, serial: Int)
  case comparedLoaded(Report, with: Report, serial: Int)
  case alertsLoaded([AlertState], serial: Int)
  /// How far the rows are that were asked for.
  case reading(_ read: Int, of: Int, serial: Int)
  case arranged(ArrangedList, serial: Int)
  /// Every chain that an id leads to; none where it is unknown.
  case found([ChainReport], serial: Int)
  /// Ids that what is typed may be a part of.
  case suggested(IDSuggestions, serial: Int)
  /// A chain as programs read it.
  case encoded(String, serial: Int)
  /// As what subscriptions were first paid.
  case originsLoaded([CohortOrigin], serial: Int)
  case statusLoaded(StoreStatus, serial: Int)
  case queueLoaded(QueueReport, serial: Int)
  /// - Parameter reason: one sentence, for a person.
  case failed(_ reason: String, serial: Int)
  case receiptsLoaded(ReceiptLines, serial: Int)
  /// What a sweep would take up.
  case sweepCounted(SweepSelection, SweepEstimate, serial: Int)
  /// What was to be asked about first came too late for the sweep that ran.
  case sweepTooLate(SweepSelection)
  /// Something that was asked for is done, or could not be.
  ///
  /// - Parameter text: one sentence, for a person.
  case noted(_ text: String, isBad: Bool)
  /// A program of somebody's own has ended.
  ///
  /// - Parameters:
  ///   - lines: what it wrote.
  ///   - failure: how it failed, in a few words; nil where it did not.
  case ran(name: String, lines: [String], failure: String?)
  /// What was received of notifications so far.
  case receiving(Reception)
  /// No notifications are received, though they were to be.
  ///
  /// - Parameter reason: one sentence, for a person.
  case notReceiving(_ reason: String)
  /// Somebody wrote to the store.
  case storeChanged
  case sweepStarted
  case sweepProgress(SweepProgress)
  case sweepFinished(SweepSummary)
  /// - Parameter reason: one sentence, for a person.
  case sweepFailed(_ reason: String)
}
