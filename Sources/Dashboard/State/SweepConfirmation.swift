import Screen
import Subscriptions

struct SweepConfirmation: Sendable {
  var subject: String
  var remark = ""
  var counted: (selection: SweepSelection, estimate: SweepEstimate)?
}

extension State {
  mutating func askSweep(_ request: SweepRequest, of subject: String, remark: String = "") -> [Effect] {
    confirmation = SweepConfirmation(subject: subject, remark: remark)
    notice = nil
    return [.countSweep(request, at: now, serial: pending.ask(.sweep))]
  }

  mutating func counted(_ selection: SweepSelection, _ estimate: SweepEstimate, serial: Int) {
    guard pending.take(.sweep, serial) != nil, confirmation != nil else { return }
    guard estimate.free > 0 else {
      confirmation = nil
      let held = CountText.of(estimate.held, "receipt is", "receipts are")
      say(
        estimate.held > 0
          ? "Nothing to sweep: \(held) already being swept."
          : "Nothing to sweep: none of these receipts can be checked with Apple.", .warn)
      return
    }
    confirmation?.counted = (selection, estimate)
  }

  /// Starts the sweep on Enter or `y`, once its receipts are counted, and cancels it on any other key.
  mutating func answer(_ key: Key?) -> [Effect] {
    guard let asked = confirmation else { return [] }
    guard let key, [.enter, .character("y"), .character("Y")].contains(key) else {
      confirmation = nil
      pending[.sweep] = nil
      return say("Sweep cancelled.")
    }
    guard let counted = asked.counted else { return [] }
    confirmation = nil
    cursor?.marked = []
    return startSweep(counted.selection)
  }

  var question: (title: String, lines: [StyledText])? {
    if isTemporary, let quitKey {
      let store = "The store is temporary and is deleted when the dashboard quits."
      return ("Quit?", [StyledText(store), Self.keys("y", quitKey.name, " quits; any other key stays.")])
    }
    guard let confirmation else { return nil }
    let title = "Sweep \(confirmation.subject)?"
    guard let (_, estimate) = confirmation.counted else {
      return (title, [StyledText("Counting the receipts\(glyphs.ellipsis)", .dim)])
    }
    var words: StyledText = [TextSpan(CountText.of(estimate.free, "receipt"), .strong)]
    if let time = estimate.milliseconds(at: sweep.last.flatMap(Self.rate)) {
      words = words + [TextSpan(", about \(AgeText.of(max(1000, time))) at the last sweep's speed")]
    }
    var remarks = [confirmation.remark]
    if estimate.held > 0 {
      remarks.append("\(CountText.of(estimate.held, "more is", "more are")) already being swept.")
    }
    if sweep.isActive { remarks.append("Another sweep is running; this one starts when it ends.") }
    remarks.removeAll(where: \.isEmpty)
    return (
      title,
      [
        words + [TextSpan(remarks.isEmpty ? "." : ". " + remarks.joined(separator: " "))],
        Self.keys("y", " sweeps; any other key cancels."),
      ]
    )
  }

  private static func keys(_ words: String...) -> StyledText {
    let keys = (["Enter"] + words.dropLast()).map { StyledText($0, .key) }
    return keys.joined(by: " or ") + [TextSpan(words.last ?? "")]
  }

  /// Returns the receipts per second; `nil` if the sweep was stopped or checked fewer than 20 receipts.
  private static func rate(of summary: SweepSummary) -> Double? {
    summary.stopped == nil && summary.counts.done >= 20 ? summary.receiptsPerSecond : nil
  }
}
