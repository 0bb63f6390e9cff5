import Screen

/// Blocks on the screen, scrolled if they are too high.
struct BlockScreen {
  let blocks: [Block]
  let cursor: ListCursor
  var changed: Set<String> = []

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let layout = BlockLayout(blocks, in: rect.size, glyphs: canvas.glyphs)
    guard layout.maximumScroll > 0 else {
      canvas.within(rect) { draw(layout, on: &$0) }
      return
    }
    var whole = Canvas(size: Size(columns: rect.columns, rows: layout.height), glyphs: canvas.glyphs)
    draw(layout, on: &whole)
    let first = min(cursor.scroll, layout.maximumScroll)
    canvas.within(rect) { canvas in
      for row in 0..<canvas.bounds.rows {
        canvas.put(whole.styledLine(row: first + row), column: 0, row: row)
      }
      Self.markHidden(above: first, below: layout.maximumScroll - first, on: &canvas)
    }
  }

  private func draw(_ layout: BlockLayout, on canvas: inout Canvas) {
    for placed in layout.places {
      let block = blocks[placed.index]
      let isHere = cursor.spot.map { $0.block == placed.index } ?? (block.span == .main)
      block.draw(
        on: &canvas, in: placed.rect, isFocused: isHere,
        selected: isHere ? cursor.spot?.item ?? cursor.selected : nil, offset: cursor.offset,
        marked: placed.index == layout.main?.index ? cursor.marked : [],
        changed: placed.index == layout.main?.index ? changed : [], across: cursor.across)
    }
  }

  private static func markHidden(above: Int, below: Int, on canvas: inout Canvas) {
    let edge = canvas.bounds.columns - 1
    if above > 0 { canvas.put(canvas.glyphs.up, column: edge, row: 0, .key) }
    if below > 0 { canvas.put(canvas.glyphs.down, column: edge, row: canvas.bounds.rows - 1, .key) }
  }
}

extension Canvas {
  func styledLine(row: Int) -> StyledText {
    var spans: [TextSpan] = []
    for cell in cells(inRow: row) where cell.width > 0 {
      if let last = spans.last, last.style == cell.style {
        spans[spans.count - 1].text += cell.text
      } else {
        spans.append(TextSpan(cell.text, cell.style))
      }
    }
    return StyledText(spans)
  }
}

/// Division of the screen: header, tabs, body, sweep line and key hints.
struct Chrome {
  let header: Rect
  let tabs: Rect
  let body: Rect
  /// Empty on a low screen, where a running sweep replaces the header.
  let sweep: Rect
  let hints: Rect

  init(_ size: Size) {
    var room = Rect(size)
    header = room.cutTop(size.rows >= 20 ? 2 : 1)
    tabs = room.cutTop(1)
    hints = room.cutBottom(1)
    sweep = room.cutBottom(size.rows >= 16 ? 1 : 0)
    body = room
  }

  static let minimum = Size(columns: 40, rows: 10)
}

extension State {
  var isTooSmall: Bool {
    size.columns < Chrome.minimum.columns || size.rows < Chrome.minimum.rows
  }

  var tabBar: TabBar {
    TabBar(
      Tab.all.map { TabBar.Tab(key: String($0.key), title: $0.barTitle, shortTitle: $0.shortTitle) },
      selected: tabIndex)
  }
}
