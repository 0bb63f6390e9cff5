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
}
