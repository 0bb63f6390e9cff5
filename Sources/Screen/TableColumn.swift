/// Where a text that has no room is cut.
public enum TextCut: Hashable, Sendable {
  case end
  /// Keeps both ends, more of the second: by that ids are told apart.
  case middle
}

/// One column of a table, and what happens to it in a narrow room.
public struct TableColumn: Hashable, Sendable {
  public var title: String
  /// What it is called where its title has no room.
  public var shortTitle: String?
  public var alignment: Alignment
  /// Columns below which it is dropped rather than squeezed.
  public var minimum: Int
  /// Columns it has before one of less worth, of a higher priority number, is shown.
  public var preferred: Int
  /// Columns it takes when every column has what it prefers.
  public var ideal: Int
  /// Widths at which one more of its cells is whole, in rising order.
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
    _ title: String, short shortTitle: String? = nil, minimum: Int, preferred: Int? = nil, ideal: Int? = nil,
    wholes: [Int]? = nil,
    align alignment: Alignment = .left, priority: Int = 0, cut: TextCut = .end
  ) {
    (self.title, self.shortTitle) = (title, shortTitle)
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
  /// Room is given away in one order whatever there is of it, so that nothing has less of a wider room than it prefers. A column waits until it
  /// has its minimum. Those of less worth wait too: a column that came first would stay, and have it wait longer. Meanwhile the others have
  /// what is free, less than it takes.
  public static func place(_ columns: [TableColumn], in room: Int) -> [PlacedColumn] {
    var sharing = Sharing(columns, room)
    sharing.showAll()
    sharing.growToPreferred()
    sharing.growToIdeal()
    var at = 0
    return sharing.widths.sorted { $0.key < $1.key }.map { index, width in
      defer { at += width + gap }
      return PlacedColumn(index: index, column: at, width: width)
    }
  }

  /// The room in which none of the columns that are shown has to be dropped.
  public static func roomForAll(of columns: [TableColumn]) -> Int {
    var sharing = Sharing(columns, .max)
    sharing.showAll()
    return .max - sharing.left
  }

  /// What each column has of a room, and what is left of it.
  private struct Sharing {
    let columns: [TableColumn]
    /// By their worth, the first column before all others.
    private let order: [Int]
    /// Of those that are shown, by their places.
    private(set) var widths: [Int: Int] = [:]
    private(set) var left: Int

    init(_ columns: [TableColumn], _ room: Int) {
      self.columns = columns
      left = max(0, room)
      let shown = columns.indices.filter { columns[$0].isShown }
      order =
        shown.prefix(1)
        + shown.dropFirst().sorted { (columns[$0].priority, $0) < (columns[$1].priority, $1) }
    }

    /// Gives each its minimum, those of most worth first. Before one without which rows say something, the others have what they prefer,
    /// and what makes one more of their cells whole if that is less than the column takes.
    mutating func showAll() {
      for (count, place) in order.enumerated() {
        let before = order.prefix(count)
        let need = columns[place].minimum + (count > 0 ? gap : 0)
        if columns[place].priority > 0 {
          for other in before { grow(other, to: columns[other].preferred) }
          while left > 0, let (other, width) = nextWhole(of: before, for: need) { grow(other, to: width) }
        }
        guard count == 0 || need <= left else { return }
        widths[place] = min(columns[place].minimum, left)
        left -= min(need, left)
      }
    }

    mutating func growToPreferred() {
      for place in order where widths[place] != nil { grow(place, to: columns[place].preferred) }
    }

    /// From left to right.
    mutating func growToIdeal() {
      for place in order.sorted() where widths[place] != nil { grow(place, to: columns[place].ideal) }
    }

    private func nextWhole(of places: ArraySlice<Int>, for need: Int) -> (Int, Int)? {
      for place in places {
        let width = widths[place, default: 0]
        if let whole = columns[place].wholes.first(where: { $0 > width }), whole - width < need {
          return (place, whole)
        }
      }
      return nil
    }

    private mutating func grow(_ place: Int, to width: Int) {
      let more = max(0, min(left, width - widths[place, default: 0]))
      widths[place, default: 0] += more
      left -= more
    }
  }
}
