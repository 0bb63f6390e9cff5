import Screen
import Subscriptions

/// Arrangement of the overview's boxes, on the overview itself and in the list of boxes.
extension State {
  mutating func showBoxes() -> [Effect] {
    let box = selectedBox
    push(.boxes, [boxesBlock])
    if let box { cursor?.select(box.rawValue) }
    settle()
    return []
  }

  mutating func moveBox(_ side: Command.Side) -> [Effect] {
    let shown = Set((blocks ?? []).compactMap(\.box))
    return arrangeBox { $0.move($1, side, among: shown.isEmpty ? Set(OverviewBox.allCases) : shown) }
  }

  mutating func arrangeBox(_ change: (inout OverviewBoxes, OverviewBox) -> Void) -> [Effect] {
    guard let box = selectedBox else { return say("Select a box of the overview (1) first.") }
    arrangeBoxes { change(&$0, box) }
    if layers.isEmpty, boxes.hidden.contains(box) { say("\(box.rawValue): hidden; B lists all boxes.") }
    return []
  }

  private var selectedBox: OverviewBox? {
    if case .boxes? = top { return cursor?.selected.flatMap(OverviewBox.init) }
    guard let blocks, let place = cursor?.spot?.block, blocks.indices.contains(place) else { return nil }
    return blocks[place].box
  }

  /// Changes the arrangement, and keeps the selection on its box or moves it to the next box.
  mutating func arrangeBoxes(_ change: (inout OverviewBoxes) -> Void) {
    change(&boxes)
    if let view = panels[.overview] {
      let page = view.page.redrawn(blocks(of: view.report))
      panels[.overview]?.page = page
      if let old = page.cursor.spot, view.page.blocks.indices.contains(old.block) {
        let layout = layout(of: page.blocks)
        let kept = page.blocks.firstIndex(of: view.page.blocks[old.block])
        let same = layout.spots.first { $0.id.block == kept && $0.id.item == old.item }
        if let spot = same ?? layout.spots.first(where: { $0.id.block >= old.block }) {
          panels[.overview]?.page.cursor.choose(spot, in: layout)
        }
      }
    }
    if case .boxes? = top { page = page?.redrawn([boxesBlock]) }
    settle()
  }

  private var boxesBlock: Block {
    let rows = boxes.order.map { box in
      let isHidden = boxes.hidden.contains(box)
      return Listing.Row(
        id: box.rawValue,
        [StyledText(box.rawValue, isHidden ? .dim : .text), StyledText(isHidden ? "hidden" : "shown", .dim)],
        drillDown: .box(box))
    }
    let standard = Listing.Row(id: "standard", ["Standard order, all shown", ""], drillDown: .box(nil))
    return Block(
      "Boxes of the overview; Enter shows or hides, { and } move",
      .listing(Listing([.name("Box"), .whole("State")], rows + [standard], emptyText: "", in: glyphs)),
      span: .main)
  }
}
