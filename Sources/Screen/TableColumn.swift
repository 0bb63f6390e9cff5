/// Position at which a text that does not fit is cut.
public enum TextCut: Hashable, Sendable {
  case end
  /// Keeps more of the end than of the start, because ids differ mostly at the end.
  case middle
}

/// Column of a table with a minimum and a maximum width; cells that do not fit are cut.
public struct TableColumn: Hashable, Sendable {
  public var title: String
  public var alignment: Alignment
  /// Minimum width in columns; the column is hidden if there is less room.
  public var minimum: Int
  public var maximum: Int
  /// Order of hiding in a narrow area, highest number first; the table's first column is never hidden.
  public var priority: Int
  public var cut: TextCut
  /// Whether the column shows the rows' bars; a column of bars is hidden if other columns leave no room.
  public var isBar: Bool
  public var isShown = true
  /// Whether columns with a `priority` of 4 or higher are hidden to give this column its maximum width.
  public var isBeforeDetails = false
  /// Smallest `priority` of the columns that are hidden for a column with `isBeforeDetails`.
  private static let details = 4

  public static let gap = 2

  public init(
    _ title: String, minimum: Int, maximum: Int? = nil, align alignment: Alignment = .left,
    priority: Int = 0, cut: TextCut = .end, isBar: Bool = false
  ) {
    (self.title, self.alignment) = (title, alignment)
    self.minimum = max(1, minimum)
    self.maximum = max(self.minimum, maximum ?? minimum)
    (self.priority, self.cut, self.isBar) = (priority, cut, isBar)
  }
}

/// Visible column of a table: its index, its first screen column and its width.
public struct PlacedColumn: Hashable, Sendable {
  public let index: Int
  public let column: Int
  public let width: Int
}

extension TableColumn {
  /// Returns the columns that fit into a width, with their positions.
  ///
  /// Columns get their minimum widths in the order of `priority`, and then grow to their maximum widths. The
  /// first column of bars gets the spare width, up to its maximum.
  public static func place(_ columns: [TableColumn], in room: Int) -> [PlacedColumn] {
    let shown = columns.indices.filter { columns[$0].isShown }
    let texts = shown.filter { !columns[$0].isBar }
    let order =
      texts.prefix(1)
      + texts.dropFirst().sorted { (columns[$0].priority, $0) < (columns[$1].priority, $1) }
    var left = max(0, room)
    var widths: [Int: Int] = [:]
    func need(_ place: Int) -> Int { columns[place].minimum + (widths.isEmpty ? 0 : gap) }
    for place in order {
      guard widths.isEmpty || need(place) <= left else { break }
      let taken = min(left, need(place))
      widths[place] = min(columns[place].minimum, taken)
      left -= taken
    }
    let lacking = order.filter { columns[$0].isBeforeDetails }.reduce(0) {
      $0 + columns[$1].maximum - (widths[$1] ?? columns[$1].maximum)
    }
    for place in order.reversed() where left < lacking && columns[place].priority >= details {
      left += widths.removeValue(forKey: place).map { $0 + gap } ?? 0
    }
    for place in order {
      guard let width = widths[place] else { break }
      let more = max(0, min(left, columns[place].maximum - width))
      widths[place] = width + more
      left -= more
    }
    if let bar = shown.first(where: { columns[$0].isBar }), need(bar) <= left {
      widths[bar] = min(columns[bar].maximum, left - gap)
    }
    var at = 0
    return widths.sorted { $0.key < $1.key }.map { index, width in
      defer { at += width + gap }
      return PlacedColumn(index: index, column: at, width: width)
    }
  }
}
