import Subscriptions

/// Kind of screen with a list. Each kind has an arrangement.
enum ListScreen: Hashable, Sendable {
  case panel(Panel)
  case sweep
  case rows(Panel)
  case chains
  case receipts
  case evidence
  case products
  case keys, messages, comparisons, alerts
  case compared(Panel)
}

extension State {
  var listScreen: ListScreen? {
    switch layers.last?.content {
    case .rows(let rows)?: .rows(rows.subject.panel)
    case .chains?: .chains
    case .receipts?: .receipts
    case .help?: .keys
    case .messages?: .messages
    case .products?: .products
    case .comparisons?: .comparisons
    case .compared(let view)?: .compared(view.question.panel)
    case .alerts?: .alerts
    case .evidence?: .evidence
    case .chain?, .json?: nil
    case nil:
      switch tab {
      case .panel(let panel): .panel(panel)
      case .sweep: .sweep
      }
    }
  }

  func arrangement(of listScreen: ListScreen) -> ListOptions { arrangements[listScreen] ?? ListOptions() }

  package var arrangement: ListOptions { listScreen.map(arrangement(of:)) ?? ListOptions() }
}
