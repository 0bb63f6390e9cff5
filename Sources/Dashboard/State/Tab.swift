import Subscriptions

/// A tab of the dashboard: a panel, or the sweeps.
public enum Tab: Hashable, Sendable {
  case panel(Panel)
  case sweep

  public static let panels = Panel.allCases
  public static let all = panels.map(Tab.panel) + [.sweep]

  public var title: String {
    switch self {
    case .panel(let panel): panel.title
    case .sweep: "Sweep"
    }
  }

  public var key: Character {
    switch self {
    case .panel(let panel): panel.key
    case .sweep: "W"
    }
  }

  var barTitle: String { self == .panel(.billingRetry) ? "Retry" : title }

  /// Title for narrow screens. All of them together fit into 80 columns.
  var shortTitle: String {
    switch self {
    case .panel(.movement): "Move"
    case .panel(.recovery): "Recover"
    case .panel(.cohorts): "Cohort"
    case .panel(.offers): "Offer"
    case .panel(.refunds): "Refund"
    case .panel(.upgrades): "Upgr."
    case .panel(.events): "Event"
    default: barTitle
    }
  }
}

extension Panel {
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
    case .recovery: "Recovery"
    case .cohorts: "Cohorts"
    case .offers: "Offers"
    }
  }

  fileprivate var key: Character {
    switch self {
    case .overview: "1"
    case .movement: "2"
    case .active: "3"
    case .billingRetry: "4"
    case .recovery: "5"
    case .churn: "6"
    case .cohorts: "7"
    case .offers: "8"
    case .refunds: "9"
    case .upgrades: "0"
    case .events: "E"
    }
  }
}
