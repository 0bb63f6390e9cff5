import Subscriptions

/// A kind of screen with a list, for which an arrangement is kept.
enum ListScreen: Hashable, Sendable {
  case panel(Panel)
  case sweep
  /// The rows behind the figures of a panel.
  case rows(Panel)
  case chains
  case receipts
  case evidence
  case products
  case keys, messages, comparisons, alerts
  /// A panel's figures beside others.
  case compared(Panel)
}

extension State {
  /// The one shown; nil where it has no list.
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

  func arrangement(of listScreen: ListScreen) -> Arrangement { arrangements[listScreen] ?? Arrangement() }

  /// How the list shown is arranged.
  package var arrangement: Arrangement { listScreen.map(arrangement(of:)) ?? Arrangement() }
}
