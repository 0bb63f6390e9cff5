import Screen
import Subscriptions

extension State {
  /// Minimum milliseconds between evaluations of alerts, except after sweeps; usual values need many queries.
  private static let alertPace: Int64 = 10_000

  mutating func askAlerts() -> [Effect] {
    guard hasAlerts, pending[.alerts] == nil,
      pending.alertsAsked.map({ uptime - $0 >= State.alertPace }) ?? true
    else { return [] }
    pending.alertsAsked = uptime
    return [.loadAlerts(at: asOf, serial: pending.ask(.alerts))]
  }

  mutating func show(_ alerts: [AlertState], serial: Int) {
    guard pending.take(.alerts, serial) != nil else { return }
    let isFirst = self.alerts.isEmpty
    let before = Set(self.alerts.filter(\.isRaised).map(\.alert.name))
    self.alerts = alerts
    if case .alerts? = top {
      page = page?.redrawn([alerts.block(in: formatter)])
      settle()
    }
    let raised = alerts.first {
      // An alert raised before the start of the dashboard is in the header and needs no toast.
      $0.isRaised && !before.contains($0.alert.name) && !(isFirst && $0.raisedSince != nil)
    }
    if let raised { say("\(raised.inWords).", .bad) }
  }

  mutating func showAlerts() {
    if case .alerts? = top { return }
    push(.alerts, [alerts.block(in: formatter)])
  }

  mutating func openAlert(_ index: Int) -> [Effect] {
    guard alerts.indices.contains(index) else { return [] }
    let state = alerts[index]
    let figure = state.alert.condition.figure
    guard FigurePath(figure.path, of: figure.panel) != nil else {
      return say("\(state.inWords). It has no rows to show.")
    }
    var question = state.alert.question(question(of: figure.panel, for: figure.panel.rowList))
    (question.at, question.environment) = (state.at, .production)
    let subject = RowsView.Subject(
      panel: figure.panel, figures: [figure.path],
      sides: [RowsView.Subject.Side(name: state.alert.name, question: question)])
    return askRows(subject, .open)
  }

  var raisedAlerts: [AlertState] { alerts.filter(\.isRaised) }
}

extension State {
  static let messagesKept = 200

  mutating func toggleFreeze() -> [Effect] {
    // Then the other tabs have the same instant as what is visible.
    frozenAt = isFrozen ? nil : max(pending.lastAskedAt ?? now, layers.last?.at ?? .distantPast)
    say(
      isFrozen
        ? "Frozen. R refreshes once, F resumes."
        : "Resumed. The screen follows the store.")
    return isFrozen ? [] : reload()
  }

  /// Refreshes once, which moves a frozen screen to the current instant.
  mutating func readOnce() -> [Effect] {
    if isFrozen { frozenAt = now }
    return reload()
  }

  /// Refreshes after a sweep; on a frozen screen, only the sweep line.
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
          StyledText(formatter.minute(message.at), .dim),
          StyledText(message.toast.level.word, message.toast.level.style),
          StyledText(message.toast.text.split(whereSeparator: \.isNewline).joined(separator: " ")),
        ], note: message.toast.text)
    }
    let block = Block(
      "Messages, newest first",
      .listing(
        Listing(
          [.whole("When"), .whole("Kind", priority: 1), .name("Message", least: 30)], rows,
          emptyText: "No messages yet.", in: glyphs)), span: .main)
    push(.messages, [block])
  }
}

/// Five-step guide through the demonstration; the bottom line shows the current step.
public struct Guide: Hashable, Sendable {
  enum Step: Int, Hashable, Sendable, CaseIterable {
    case rows, chain, find, panel, window
  }

  fileprivate(set) var step = Step.rows
  /// Customer with an eventful history, for the step `find`.
  let customer: AppUserID

  public init(customer: AppUserID) { self.customer = customer }

  var words: StyledText {
    let number = StyledText(" Guide \(step.rawValue + 1)/\(Step.allCases.count)  ", .accent)
    let (key, action) =
      switch step {
      case .rows: ("Enter", "lists the rows of a figure; k, j select")
      case .chain: ("Enter", "on a row opens its history")
      case .find: ("f", "then type \(customer), an eventful history")
      case .panel: ("Tab", "shows the next panel")
      case .window: ("w", "changes the window")
      }
    return number + [TextSpan(key, .key), TextSpan(" \(action)   ", .text), TextSpan("x", .key)]
      + StyledText(" ends the guide", .dim)
  }
}

extension State {
  mutating func followGuide() {
    guard let guide, hasDone(guide) else { return }
    if let next = Guide.Step(rawValue: guide.step.rawValue + 1) {
      self.guide?.step = next
    } else {
      self.guide = nil
      say("End of the guide. A lists the alerts, ? all keys.", .good)
    }
  }

  private func hasDone(_ guide: Guide) -> Bool {
    switch (guide.step, top) {
    case (.rows, .rows): true
    case (.chain, .chain): true
    case (.find, .chain(let chain, _)): chain.appUserIds.contains(guide.customer)
    case (.panel, nil): tab != .panel(.overview)
    case (.window, nil): chosenWindow != .days(28)
    default: false
    }
  }
}
