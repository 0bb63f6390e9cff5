import Screen
import Subscriptions

extension State {
  /// The screen that keys go to; nil where there is nothing to show yet.
  var page: Page? {
    get {
      switch layers.last {
      case .rows(let view)?: view.page
      case .chain(let view)?, .evidence(let view)?: view.page
      case .chains(let view)?: view.page
      case .receipts(let view)?: view.page
      case .json(let view)?: view.page
      case .products(let page)?, .help(let page)?, .messages(let page)?, .alerts(let page)?,
        .comparisons(let page)?:
        page
      case .compared(let view)?: view.page
      case nil:
        switch tab {
        case .panel(let panel): panels[panel]?.page
        case .sweep: sweepView.page.blocks.isEmpty ? nil : sweepView.page
        }
      }
    }
    set {
      guard let newValue else { return }
      guard let top = layers.indices.last else {
        switch tab {
        case .panel(let panel): panels[panel]?.page = newValue
        case .sweep: sweepView.page = newValue
        }
        return
      }
      switch layers[top] {
      case .rows(var view):
        view.page = newValue
        layers[top] = .rows(view)
      case .chain(var view):
        view.page = newValue
        layers[top] = .chain(view)
      case .evidence(var view):
        view.page = newValue
        layers[top] = .evidence(view)
      case .chains(var view):
        view.page = newValue
        layers[top] = .chains(view)
      case .receipts(var view):
        view.page = newValue
        layers[top] = .receipts(view)
      case .json(var view):
        view.page = newValue
        layers[top] = .json(view)
      case .products: layers[top] = .products(newValue)
      case .help: layers[top] = .help(newValue)
      case .alerts: layers[top] = .alerts(newValue)
      case .comparisons: layers[top] = .comparisons(newValue)
      case .compared(var view):
        view.page = newValue
        layers[top] = .compared(view)
      case .messages: layers[top] = .messages(newValue)
      }
    }
  }

  var blocks: [Block]? { page?.blocks }
  var mainListing: Listing? { page?.listing }

  var cursor: ListCursor? {
    get { page?.cursor }
    set { if let newValue { page?.cursor = newValue } }
  }

  /// Where the blocks of a screen stand.
  func layout(of blocks: [Block]) -> BlockLayout {
    BlockLayout(blocks, in: Chrome(size).body.size, glyphs: glyphs)
  }

  mutating func move(_ movement: Command.Movement, by lines: Int = 1) {
    guard let blocks, var cursor else { return }
    let layout = layout(of: blocks)
    cursor.move(movement, lines: lines, in: layout, listing: mainListing)
    self.cursor = cursor
  }
}

extension State {
  /// To the figures or the list beside the selection; where nothing stands there, to the next panel on that side.
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

  /// Keeps the selection in view where the room has changed.
  mutating func settle() {
    guard let blocks, var cursor else { return }
    cursor.keep(to: blocks, in: Chrome(size).body.size, glyphs: glyphs)
    self.cursor = cursor
  }
}

extension Command.Movement {
  /// Rows down, or up where negative.
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
  /// The sum, stopping at the ends.
  func adding(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }
}
