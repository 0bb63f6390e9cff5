/// How long one part of a divided rectangle is.
public enum Length: Hashable, Sendable {
  /// A fixed number of cells, as far as there is room.
  case cells(Int)
  /// A weight: what the fixed parts leave is shared out by weight.
  case share(Int)
}

extension Rect {
  /// Takes rows off the top and answers them; fewer when there are fewer.
  public mutating func cutTop(_ count: Int) -> Rect {
    let taken = min(max(0, count), rows)
    let piece = Rect(column: column, row: row, columns: columns, rows: taken)
    self = Rect(column: column, row: row + taken, columns: columns, rows: rows - taken)
    return piece
  }

  /// Takes rows off the bottom and answers them; fewer when there are fewer.
  public mutating func cutBottom(_ count: Int) -> Rect {
    let taken = min(max(0, count), rows)
    let piece = Rect(column: column, row: endRow - taken, columns: columns, rows: taken)
    self = Rect(column: column, row: row, columns: columns, rows: rows - taken)
    return piece
  }

  /// Takes columns off the left and answers them; fewer when there are fewer.
  public mutating func cutLeft(_ count: Int) -> Rect {
    let taken = min(max(0, count), columns)
    let piece = Rect(column: column, row: row, columns: taken, rows: rows)
    self = Rect(column: column + taken, row: row, columns: columns - taken, rows: rows)
    return piece
  }

  /// Takes columns off the right and answers them; fewer when there are fewer.
  public mutating func cutRight(_ count: Int) -> Rect {
    let taken = min(max(0, count), columns)
    let piece = Rect(column: endColumn - taken, row: row, columns: taken, rows: rows)
    self = Rect(column: column, row: row, columns: columns - taken, rows: rows)
    return piece
  }

  /// Parts from top to bottom, one for each length; those without room are empty.
  public func split(rows lengths: [Length], gap: Int = 0) -> [Rect] {
    var rest = self
    return Self.resolve(lengths, in: rows, gap: gap).map { count in
      let piece = rest.cutTop(count)
      _ = rest.cutTop(gap)
      return piece
    }
  }

  /// Parts from left to right, one for each length; those without room are empty.
  public func split(columns lengths: [Length], gap: Int = 0) -> [Rect] {
    var rest = self
    return Self.resolve(lengths, in: columns, gap: gap).map { count in
      let piece = rest.cutLeft(count)
      _ = rest.cutLeft(gap)
      return piece
    }
  }

  private static func resolve(_ lengths: [Length], in room: Int, gap: Int) -> [Int] {
    var fixed = gap * max(0, lengths.count - 1)
    var weights = 0
    for length in lengths {
      switch length {
      case .cells(let count): fixed += max(0, count)
      case .share(let weight): weights += max(0, weight)
      }
    }
    var left = max(0, room - fixed)
    return lengths.map { length in
      switch length {
      case .cells(let count): return max(0, count)
      case .share(let weight):
        guard weights > 0, weight > 0 else { return 0 }
        // The share of what is left among the weights that are left, so that no cell is lost to rounding.
        let part = left * weight / weights
        left -= part
        weights -= weight
        return part
      }
    }
  }
}
