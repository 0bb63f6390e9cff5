/// Where a text that has no room is cut.
public enum TextCut: Hashable, Sendable {
  case end
  /// Keeps both ends, more of the second: by that ids are told apart.
  case middle
}

/// One column of a table, and what happens to it in a narrow room.
public struct TableColumn: Hashable, Sendable {
  public var title: String
  public var alignment: Alignment
  /// Columns below which it is dropped rather than squeezed.
  public var minimum: Int
  /// Columns it has before one of less worth, of a higher priority number, is shown.
  public var preferred: Int
  /// Columns it takes when every column has what it prefers.
  public var ideal: Int
  /// Who goes first when the room is narrow: the highest number. The table's first column always stays.
  public var priority: Int
  /// Where its cells are cut.
  public var cut: TextCut
  /// Whether it is drawn at all.
  public var isShown = true

  /// Blank columns between two columns.
  public static let gap = 2

  public init(
    _ title: String, minimum: Int, preferred: Int? = nil, ideal: Int? = nil,
    align alignment: Alignment = .left, priority: Int = 0, cut: TextCut = .end
  ) {
    self.title = title
    self.alignment = alignment
    self.cut = cut
    self.minimum = max(1, minimum)
    self.preferred = max(self.minimum, preferred ?? minimum)
    self.ideal = max(self.preferred, ideal ?? minimum)
    self.priority = priority
  }
}

/// A column that found room: which one, where it begins and how wide it is.
public struct PlacedColumn: Hashable, Sendable {
  public let index: Int
  public let column: Int
  public let width: Int
}

extension TableColumn {
  /// Chooses the columns that fit a room and shares it out among them.
  ///
  /// Columns are dropped whole, those of least worth first; the rest grows from its minimum to what it prefers, those of most worth
  /// first, and then to its ideal, from left to right.
  public static func place(_ columns: [TableColumn], in room: Int) -> [PlacedColumn] {
    var kept = columns.indices.filter { columns[$0].isShown }
    while kept.count > 1, roomForAll(of: kept.map { columns[$0] }) > room {
      let least = byWorth(kept, of: columns).last { $0 != kept[0] }
      kept.removeAll { $0 == least }
    }
    var widths = Dictionary(uniqueKeysWithValues: kept.map { ($0, min(columns[$0].minimum, room)) })
    var left = max(0, room - widths.values.reduce(gap * max(0, kept.count - 1), +))
    func grow(_ index: Int, to width: Int) {
      let more = max(0, min(left, width - widths[index, default: 0]))
      widths[index, default: 0] += more
      left -= more
    }
    for index in byWorth(kept, of: columns) { grow(index, to: columns[index].preferred) }
    for index in kept { grow(index, to: columns[index].ideal) }
    var at = 0
    return kept.map { index in
      let width = widths[index, default: 0]
      defer { at += width + gap }
      return PlacedColumn(index: index, column: at, width: width)
    }
  }

  /// The room in which none of the columns that are shown has to be dropped: that of least worth has its minimum, the others what they
  /// prefer. Where none is of less worth than 0, without which rows say nothing, all have their minimum.
  public static func roomForAll(of columns: [TableColumn]) -> Int {
    let shown = byWorth(columns.indices.filter { columns[$0].isShown }, of: columns)
    guard let least = shown.last else { return 0 }
    let hasLess = columns[least].priority > 0
    return shown.reduce(gap * (shown.count - 1)) {
      $0 + (hasLess && $1 != least ? columns[$1].preferred : columns[$1].minimum)
    }
  }

  /// The lower priority numbers first, and of equals the left one.
  private static func byWorth(_ places: [Int], of columns: [TableColumn]) -> [Int] {
    places.sorted { (columns[$0].priority, $0) < (columns[$1].priority, $1) }
  }
}
