import Screen
import Subscriptions

extension State {
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

  /// Refreshes once. A frozen screen moves to the current instant.
  mutating func readOnce() -> [Effect] {
    if isFrozen { frozenAt = now }
    return reload()
  }

  /// Refreshes after a sweep. A frozen screen waits, except for the status of the sweeps in its sweep line,
  /// which must not show an outdated sweep.
  mutating func reloadAfterSweep() -> [Effect] {
    guard isFrozen else { return reload() }
    pending.isOutdated = true
    return askStatus(at: now)
  }

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
