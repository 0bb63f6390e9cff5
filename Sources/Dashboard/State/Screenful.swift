import Subscriptions

/// A kind of screen with a list, for which an arrangement is kept.
enum Screenful: Hashable, Sendable {
  case panel(Panel)
  case sweep
  /// The rows behind the figures of a panel.
  case rows(Panel)
  case chains
  case products
  case keys
}

extension State {
  /// The one shown; nil where it has no list.
  var screenful: Screenful? {
    switch layers.last {
    case .rows(let view)?: .rows(view.subject.panel)
    case .chains?: .chains
    case .help?: .keys
    case .products?: .products
    case .chain?, .json?: nil
    case nil:
      switch tab {
      case .panel(let panel): .panel(panel)
      case .sweep: .sweep
      }
    }
  }

  func arrangement(of screenful: Screenful) -> Arrangement { arrangements[screenful] ?? Arrangement() }

  /// How the list shown is arranged.
  package var arrangement: Arrangement { screenful.map(arrangement(of:)) ?? Arrangement() }
}
