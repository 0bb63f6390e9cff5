import Screen
import Subscriptions

/// The line of keys at the foot, as it is drawn and as it is clicked on.
extension State {
  var keyHints: KeyHints {
    KeyHints(
      keys.hints(
        in: context, readOnly: isReadOnly, isTop: layers.isEmpty && shownNarrowing.isEmpty,
        isPaused: sweep.isPauseWanted, without: uselessCommands))
  }

  /// What a toast leaves of the line.
  func hintColumns(in rect: Rect) -> Int {
    guard let width = toastColumns, width <= rect.columns else { return rect.columns }
    return max(0, rect.columns - width - 1)
  }

  /// Columns of the toast that shows; nil where none does.
  var toastColumns: Int? { notice.map { TextWidth.of($0.toast.text, in: glyphs) + 4 } }

  private var uselessCommands: Set<Command> {
    var useless: Set<Command> =
      sweep.isActive ? [.sweepDue, .sweepAll, .sweepDead] : [.pauseOrResume, .stopSweep]
    if page?.wholeListing == nil { useless.insert(.filter) }
    if let queue = sweepView.queue, queue.dead.isEmpty { useless.insert(.sweepDead) }
    if case .rows(let view)? = layers.last?.content, view.subject.figures.count < 2 {
      useless.insert(.nextFigure)
    }
    return useless
  }
}
