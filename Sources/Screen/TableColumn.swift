public enum TextCut: Hashable, Sendable {
  case end
  /// Keeps both ends, more of the second, which distinguishes ids.
  case middle
}

/// A column of a table, and its behaviour in a narrow room.
public struct TableColumn: Hashable, Sendable {
  public var title: String
  /// Title used if `title` does not fit.
  public var shortTitle: String?
  public var alignment: Alignment
  /// Columns below which it is dropped instead of squeezed.
  public var minimum: Int
  /// Columns it gets before a column of a higher priority number is shown.
  public var preferred: Int
  /// Columns it gets once every column has its preferred width.
  public var ideal: Int
  /// Widths at which one more of its cells fits completely, in ascending order.
  public var wholes: [Int]
  /// The highest number is dropped first in a narrow room. The table's first column always stays.
  public var priority: Int
  public var cut: TextCut
  public var isShown = true

  public static let gap = 2

  /// - Parameter wholes: in ascending order; `nil` for the ideal only.
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

public struct PlacedColumn: Hashable, Sendable {
  public let index: Int
  public let column: Int
  public let width: Int
}

extension TableColumn {
  /// Returns the columns that fit a room, with their widths.
  ///
  /// Space is always given in the same order, so that in a wider room no column has less than it prefers. A
  /// column waits until its minimum is free. Columns of lower priority wait too: shown earlier, they would
  /// stay and delay it. Meanwhile the others share the free space.
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

  /// Returns the width at which no visible column is dropped.
  public static func roomForAll(of columns: [TableColumn]) -> Int {
    var sharing = Sharing(columns, .max)
    sharing.showAll()
    return .max - sharing.left
  }

  private struct Sharing {
    let columns: [TableColumn]
    /// Columns by priority, always beginning with the first column.
    private let order: [Int]
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

    /// Gives each column its minimum, by priority. Before a column with a priority number above 0, the
    /// earlier ones grow to their preferred width, and further if a little space completes one more of their
    /// cells.
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
