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
  /// Widths at which one more of its cells is whole, in rising order. What is whole no column of less worth takes away again.
  public var wholes: [Int]
  /// Who goes first when the room is narrow: the highest number. The table's first column always stays.
  public var priority: Int
  /// Where its cells are cut.
  public var cut: TextCut
  /// Whether it is drawn at all.
  public var isShown = true

  /// Blank columns between two columns.
  public static let gap = 2

  /// - Parameter wholes: in rising order; nil is the ideal alone.
  public init(
    _ title: String, minimum: Int, preferred: Int? = nil, ideal: Int? = nil, wholes: [Int]? = nil,
    align alignment: Alignment = .left, priority: Int = 0, cut: TextCut = .end
  ) {
    self.title = title
    self.alignment = alignment
    self.cut = cut
    self.minimum = max(1, minimum)
    self.preferred = max(self.minimum, preferred ?? minimum)
    self.ideal = max(self.preferred, ideal ?? minimum)
    self.wholes = wholes ?? [self.ideal]
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
  /// Columns are dropped whole, those of least worth first; the rest grows from its minimum to what it has before one of less worth is
  /// shown, then to what it prefers, those of most worth first, and then to its ideal, from left to right.
  public static func place(_ columns: [TableColumn], in room: Int) -> [PlacedColumn] {
    let steps = steps(of: columns)
    guard let step = steps.last(where: { $0.room <= room }) ?? steps.first else { return [] }
    let widths = widths(of: columns, step, in: room)
    var at = 0
    return step.places.sorted().map { index in
      let width = widths[index, default: 0]
      defer { at += width + gap }
      return PlacedColumn(index: index, column: at, width: width)
    }
  }

  /// The room in which none of the columns that are shown has to be dropped: that of least worth has its minimum, the others what they
  /// prefer, or what their cells need that are whole in a room without that column. Where none is of less worth than 0, without which rows say
  /// nothing, all have their minimum.
  public static func roomForAll(of columns: [TableColumn]) -> Int { steps(of: columns).last?.room ?? 0 }

  /// The columns that are shown from some room on.
  private struct Step {
    /// By their worth, the first column before all others.
    var places: [Int]
    /// What each has before it grows, at the least.
    var least: [Int: Int]
    var room: Int
  }

  /// From the first column alone to all that are shown, each time with the one of most worth besides.
  private static func steps(of columns: [TableColumn]) -> [Step] {
    let shown = columns.indices.filter { columns[$0].isShown }
    var steps: [Step] = []
    for place in shown.prefix(1) + byWorth(shown.dropFirst(), of: columns) {
      let before = steps.last
      var least = before?.least ?? [:]
      let hasLess = columns[place].priority > 0
      if hasLess, let before {
        for other in before.places { least[other] = max(least[other, default: 0], columns[other].preferred) }
      }
      least[place] = columns[place].minimum
      var step = Step(places: (before?.places ?? []) + [place], least: least, room: 0)
      step.room = room(of: step)
      // Whoever widens a window is not to see less of a column: what is whole without the new one stays so beside it.
      while hasLess, let before {
        let widths = widths(of: columns, before, in: step.room - 1)
        for (other, width) in widths {
          let whole = columns[other].wholes.last { $0 <= width } ?? 0
          step.least[other] = max(step.least[other, default: 0], whole)
        }
        let room = room(of: step)
        if room == step.room { break }
        step.room = room
      }
      steps.append(step)
    }
    return steps
  }

  private static func room(of step: Step) -> Int {
    step.least.values.reduce(gap * (step.places.count - 1), +)
  }

  /// How wide the columns of a step are in a room, by their places.
  private static func widths(of columns: [TableColumn], _ step: Step, in room: Int) -> [Int: Int] {
    var widths = Dictionary(uniqueKeysWithValues: step.places.map { ($0, min(columns[$0].minimum, room)) })
    var left = max(0, room - widths.values.reduce(gap * (step.places.count - 1), +))
    func grow(_ index: Int, to width: Int) {
      let more = max(0, min(left, width - widths[index, default: 0]))
      widths[index, default: 0] += more
      left -= more
    }
    let byWorth = byWorth(step.places, of: columns)
    for index in byWorth { grow(index, to: step.least[index, default: 0]) }
    for index in byWorth { grow(index, to: columns[index].preferred) }
    for index in step.places.sorted() { grow(index, to: columns[index].ideal) }
    return widths
  }

  /// The lower priority numbers first, and of equals the left one.
  private static func byWorth(_ places: some Sequence<Int>, of columns: [TableColumn]) -> [Int] {
    places.sorted { (columns[$0].priority, $0) < (columns[$1].priority, $1) }
  }
}
