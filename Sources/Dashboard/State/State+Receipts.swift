import Subscriptions

extension State {
  private static let receiptsListed = 2000

  mutating func askReceipts(
    _ question: ReceiptQuestion, _ purpose: PendingRequests.Find.Purpose
  ) -> [Effect] {
    let serial = pending.nextSerial()
    pending.receipts = PendingRequests.Receipts(
      serial: serial, question: question, purpose: purpose, asked: uptime)
    return [.loadReceipts(question, limit: Self.receiptsListed, at: asOfSweeps, serial: serial)]
  }

  mutating func show(_ lines: ReceiptLines, serial: Int) {
    guard let asked = pending.receipts, asked.serial == serial else { return }
    pending.receipts = nil
    products.learn(lines.rows.compactMap(\.product))
    let layer = layer(of: lines, at: asOfSweeps)
    switch (asked.purpose, layers.last?.content) {
    case (.open, _): layers.append(layer)
    case (.refresh, .receipts(let old)?) where old.question == lines.question: replaceTop(by: layer)
    case (.refresh, _): return
    }
    settle()
  }

  private func layer(of lines: ReceiptLines, at t: Instant) -> Layer {
    let name = lines.question.name(in: wording, sweeps: sweepView.queue?.sweeps ?? [])
    return Layer(
      content: .receipts(ReceiptsView(lines: lines, name: name, at: t, stillAt: frozenAt)),
      page: Page([lines.block(named: name, at: t, in: wording)], arrangement(of: .receipts)))
  }

  /// Redraws content that a frozen screen does not read again, for another time zone.
  mutating func redrawStill() {
    sweepView.isDrawn = false
    guard case .receipts(let view)? = layers.last?.content, isStill(view) else { return }
    replaceTop(by: layer(of: view.lines, at: view.at))
    settle()
  }

  /// Whether a frozen screen has shown the list.
  func isStill(_ view: ReceiptsView) -> Bool { isFrozen && view.stillAt == frozenAt }

  /// Keeps a visible list of receipts when the screen is frozen or unfrozen.
  mutating func keepReceiptsStill() {
    guard case .receipts(var view)? = layers.last?.content else { return }
    view.stillAt = frozenAt
    layers[layers.count - 1].content = .receipts(view)
  }
}
