import Screen
import Subscriptions

extension State {
  /// Messages that are kept to be read again.
  static let messagesKept = 200

  mutating func toggleFreeze() -> [Effect] {
    frozenAt = isFrozen ? nil : now
    keepReceiptsStill()
    say(
      isFrozen
        ? "Frozen, but for the line of a running sweep; R reads once, F goes on."
        : "The screen follows the store again.")
    return isFrozen ? [] : reload()
  }

  /// All that is shown is of one instant, also where the screen stands still.
  mutating func readOnce() -> [Effect] {
    if isFrozen { frozenAt = now }
    return reload()
  }

  /// After a sweep. What nobody asked for waits until the screen moves again, but for the sweeps' line: that moved with this sweep, and
  /// is not to end on the one before.
  mutating func reloadAfterSweep() -> [Effect] {
    guard isFrozen else { return reload() }
    pending.isOutdated = true
    return askStatus(at: now)
  }

  /// The newest first.
  mutating func showMessages() {
    let rows = messages.reversed().enumerated().map { index, message in
      Listing.Row(
        id: "\(messages.count - index)",
        [
          StyledText(wording.minute(message.at), .dim),
          StyledText(message.toast.level.word, message.toast.level.style),
          StyledText(message.toast.text.split(whereSeparator: \.isNewline).joined(separator: " ")),
        ], note: message.toast.text)
    }
    let block = Block(
      "What was said, the newest first",
      .listing(
        Listing(
          [.whole("When"), .whole("Kind", priority: 1), .name("Message", least: 30)], rows,
          emptyText: "Nothing has been said yet.", in: glyphs)), span: .main)
    layers.append(Layer(content: .messages, page: Page([block], arrangement(of: .messages))))
    settle()
  }
}
