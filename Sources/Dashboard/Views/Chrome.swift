import Screen

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
