import Screen
import Subscriptions

extension State {
  var page: Page? {
    get {
      if let top = layers.last { return top.page }
      return switch tab {
      case .panel(let panel): panels[panel]?.page
      case .sweep: sweepView.page.blocks.isEmpty ? nil : sweepView.page
      }
    }
    set {
      guard let newValue else { return }
      guard layers.isEmpty else {
        layers[layers.count - 1].page = newValue
        return
      }
      switch tab {
      case .panel(let panel): panels[panel]?.page = newValue
      case .sweep: sweepView.page = newValue
      }
    }
  }

  /// Replaces the top layer and keeps its cursor.
  mutating func replaceTop(by layer: Layer) {
    guard let old = layers.popLast() else { return }
    layers.append(layer)
    layers[layers.count - 1].page.cursor = old.page.cursor
  }

  var blocks: [Block]? { page?.blocks }
  var mainListing: Listing? { page?.listing }

  var cursor: ListCursor? {
    get { page?.cursor }
    set { if let newValue { page?.cursor = newValue } }
  }

  func layout(of blocks: [Block]) -> BlockLayout {
    BlockLayout(blocks, in: Chrome(size).body.size, glyphs: glyphs)
  }

  mutating func move(_ movement: Command.Movement, by lines: Int = 1) {
    guard let blocks, var cursor else { return }
    let layout = layout(of: blocks)
    cursor.move(movement, lines: lines, in: layout, listing: mainListing)
    self.cursor = cursor
  }

  /// Moves the selection to the figures or list beside it, or else shows the next panel on that side.
  mutating func moveAside(_ side: Command.Side) -> [Effect] {
    if let blocks, var cursor {
      let layout = layout(of: blocks)
      if cursor.moveAside(side, in: layout, listing: mainListing) {
        self.cursor = cursor
        return []
      }
    }
    return perform(side == .right ? .nextPanel : .previousPanel)
  }

  /// Keeps the selection visible after a change of size or content.
  mutating func settle() {
    guard let blocks, var cursor else { return }
    cursor.keep(to: blocks, in: Chrome(size).body.size, glyphs: glyphs)
    self.cursor = cursor
  }
}

extension Command.Movement {
  /// Rows to move down; negative is up.
  func distance(page: Int, lines: Int) -> Int {
    switch self {
    case .up: -lines
    case .down: lines
    case .pageUp: -page
    case .pageDown: page
    case .halfPageUp: -max(1, page / 2)
    case .halfPageDown: max(1, page / 2)
    case .first: Int.min
    case .last: Int.max
    }
  }
}

extension Int {
  /// Sum, clamped to the range of `Int`.
  func adding(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }
}

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
