import Subscriptions

/// What a tab shows: the figures of a report, or the sweeps that fill the store they are read from.
public enum Tab: Hashable, Sendable {
  case panel(Panel)
  case sweep

  /// Those that have a tab.
  public static let panels = Panel.allCases.filter { $0 != .movement }
  /// In the order of their numbers.
  public static let all = panels.map(Tab.panel) + [.sweep]

  public var title: String {
    switch self {
    case .panel(let panel): panel.title
    case .sweep: "Sweep"
    }
  }

  /// As it stands in the bar of tabs: together they fit into 80 columns.
  var shortTitle: String { self == .panel(.billingRetry) ? "Retry" : title }
}

extension Panel {
  /// The panel's name.
  public var title: String {
    switch self {
    case .overview: "Overview"
    case .active: "Active"
    case .billingRetry: "Billing retry"
    case .churn: "Churn"
    case .refunds: "Refunds"
    case .upgrades: "Upgrades"
    case .events: "Events"
    case .movement: "Movement"
    }
  }
}
