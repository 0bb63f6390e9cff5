import Screen
import Subscriptions

extension State {
  /// Minimum milliseconds between evaluations that no sweep has caused: a usual value needs eight further
  /// queries.
  private static let alertPace: Int64 = 10_000

  mutating func askAlerts() -> [Effect] {
    guard hasAlerts, !pending.isWaiting(for: .alerts),
      pending.alertsAsked.map({ uptime - $0 >= State.alertPace }) ?? true
    else { return [] }
    pending.alertsAsked = uptime
    return [.loadAlerts(at: asOf, serial: pending.ask(.alerts))]
  }

  mutating func show(_ alerts: [AlertState], serial: Int) {
    guard pending.take(.alerts, serial) else { return }
    let isFirst = self.alerts.isEmpty
    let before = Set(self.alerts.filter(\.isRaised).map(\.alert.name))
    self.alerts = alerts
    if case .alerts? = layers.last?.content {
      page = page?.redrawn([alerts.block(in: wording)])
      settle()
    }
    let raised = alerts.first {
      // An alert that a sweep raised before the start is in the header and not announced.
      $0.isRaised && !before.contains($0.alert.name) && !(isFirst && $0.raisedSince != nil)
    }
    if let new = raised {
      say("\(new.inWords).", .bad)
    }
  }

  mutating func showAlerts() {
    if case .alerts? = layers.last?.content { return }
    layers.append(
      Layer(content: .alerts, page: Page([alerts.block(in: wording)], arrangement(of: .alerts))))
    settle()
  }

  mutating func openAlert(_ index: Int) -> [Effect] {
    guard alerts.indices.contains(index) else { return [] }
    let state = alerts[index]
    let figure = state.alert.condition.figure
    guard FigurePath(figure.path, of: figure.panel) != nil else {
      say("\(state.inWords). It has no rows of its own.")
      return []
    }
    var question = state.alert.question(question(of: figure.panel, for: .rows(figure.panel)))
    (question.at, question.environment) = (state.at, .production)
    let subject = RowsView.Subject(
      panel: figure.panel, figures: [figure.path], index: 0,
      sides: [RowsView.Subject.Side(name: state.alert.name, question: question)])
    return askRows(subject, .open)
  }

  var raisedAlerts: [AlertState] { alerts.filter(\.isRaised) }
}
