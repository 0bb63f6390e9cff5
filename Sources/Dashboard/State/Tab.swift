import Subscriptions

/// Tab of the dashboard: a panel, the comparison with Apple's reports, or the sweeps.
public enum Tab: Hashable, Sendable {
  case panel(Panel)
  case reconcile, sweep

  public static let panels = Panel.allCases
  public static let all = panels.map(Tab.panel) + [.reconcile, .sweep]

  /// Name of the tab's list, and of the tab in the saved settings.
  var name: String {
    switch self {
    case .panel(let panel): panel.rawValue
    case .reconcile: "reconcile"
    case .sweep: "sweep"
    }
  }

  private var traits: (title: String, short: String, key: Character) {
    switch self {
    case .panel(let panel): panel.traits
    case .reconcile: ("Reconcile", "Recon", "C")
    case .sweep: ("Sweep", "Sweep", "W")
    }
  }

  public var title: String { traits.title }
  public var key: Character { traits.key }

  var barTitle: String { self == .panel(.billingRetry) ? shortTitle : title }

  /// Title for narrow screens, so short that all tabs with their keys fit into 80 columns.
  var shortTitle: String { traits.short }
}

extension Panel {
  fileprivate var traits: (title: String, short: String, key: Character) {
    switch self {
    case .overview: ("Overview", "Over", "1")
    case .movement: ("Movement", "Move", "2")
    case .active: ("Active", "Act", "3")
    case .billingRetry: ("Billing retry", "Retry", "4")
    case .recovery: ("Recovery", "Rec", "5")
    case .churn: ("Churn", "Churn", "6")
    case .cohorts: ("Cohorts", "Coh", "7")
    case .offers: ("Offers", "Offer", "8")
    case .refunds: ("Refunds", "Ref", "9")
    case .upgrades: ("Upgrades", "Upgr", "0")
    case .events: ("Events", "Event", "E")
    }
  }

  public var title: String { traits.title }
}
