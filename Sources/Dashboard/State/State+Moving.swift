import Screen
import Subscriptions

extension State {
  /// The blocks of the screen that keys go to; nil where it has none, as help.
  var blocks: [Block]? {
    switch layers.last {
    case .chain(let view)?: view.blocks
    case .chains(let view)?: view.blocks
    case .help?: nil
    case nil: panels[panel]?.blocks
    }
  }

  var mainListing: Listing? { blocks?.first { $0.span == .main }?.listing }

  var place: Place? {
    get {
      switch layers.last {
      case .chain(let view)?: view.place
      case .chains(let view)?: view.place
      case .help?: nil
      case nil: panels[panel]?.place
      }
    }
    set {
      guard let newValue else { return }
      guard let top = layers.indices.last else {
        panels[panel]?.place = newValue
        return
      }
      switch layers[top] {
      case .chain(var view):
        view.place = newValue
        layers[top] = .chain(view)
      case .chains(var view):
        view.place = newValue
        layers[top] = .chains(view)
      case .help: return
      }
    }
  }

  mutating func move(_ movement: Command.Movement, by lines: Int = 1) {
    if case .help(let scroll)? = layers.last {
      let room = Chrome(size).body
      let most = max(
        0, HelpScreen(readOnly: isReadOnly, glyphs: glyphs).rows(columns: room.columns) - room.rows + 2)
      let distance = movement.distance(page: max(1, room.rows - 2), lines: lines)
      layers[layers.count - 1] = .help(scroll: min(most, max(0, scroll.adding(distance))))
      return
    }
    guard let blocks, var place else { return }
    let layout = BlockLayout(blocks, in: Chrome(size).body.size, glyphs: glyphs)
    place.move(movement, lines: lines, in: layout, listing: mainListing)
    self.place = place
  }
}

extension State {
  /// Scrolls past what stands above the list, to its first row.
  mutating func goToList() {
    guard let blocks, let listing = mainListing, var place else { return }
    place.scroll = BlockLayout(blocks, in: Chrome(size).body.size, glyphs: glyphs).maximumScroll
    place.selected = listing.rows.first?.id
    place.offset = 0
    self.place = place
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

extension Place {
  /// Moves through the screen: what is scrolled away first comes back, then the list's rows are gone through.
  mutating func move(_ movement: Command.Movement, lines: Int, in layout: BlockLayout, listing: Listing?) {
    let most = layout.maximumScroll
    scroll = min(scroll, most)
    guard let listing, !listing.rows.isEmpty else {
      let distance = movement.distance(page: max(1, layout.roomRows - 2), lines: lines)
      scroll = min(most, max(0, scroll.adding(distance)))
      return
    }
    let distance = movement.distance(page: max(1, layout.visibleRows - 1), lines: lines)
    let isAtFirst = selected == nil || selected == listing.rows.first?.id
    if distance < 0, isAtFirst, scroll > 0 {
      selected = nil
      scroll = max(0, scroll.adding(distance))
      return
    }
    if distance > 0, selected == nil, scroll < most, movement != .last {
      scroll = min(most, scroll.adding(distance))
      return
    }
    let table = listing.table(
      selected: selected ?? (distance == .max ? listing.rows.first?.id : nil), offset: offset)
    selected = table.selection(movedBy: distance)
    if movement == .first { scroll = 0 } else { scroll = most }
    offset = listing.table(selected: selected, offset: offset).scrolledOffset(visible: layout.visibleRows)
    if movement == .first, most > 0 { selected = nil }
    isMoved = movement != .first
  }
}

extension Int {
  /// The sum, stopping at the ends.
  func adding(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }
}
