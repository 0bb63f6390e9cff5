/// Rectangle of cells, whose size is never negative.
public struct Rect: Hashable, Sendable {
  public var column: Int
  public var row: Int
  public let columns: Int
  public let rows: Int

  public init(column: Int, row: Int, columns: Int, rows: Int) {
    (self.column, self.row) = (column, row)
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }

  public init(_ size: Size) {
    self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
  }

  public var size: Size { Size(columns: columns, rows: rows) }
  public var isEmpty: Bool { columns == 0 || rows == 0 }
  public var endColumn: Int { column + columns }
  public var endRow: Int { row + rows }

  public func contains(_ point: Point) -> Bool {
    point.column >= column && point.column < endColumn && point.row >= row && point.row < endRow
  }

  public func intersection(_ other: Rect) -> Rect {
    let left = max(column, other.column)
    let top = max(row, other.row)
    return Rect(
      column: left, row: top,
      columns: min(endColumn, other.endColumn) - left, rows: min(endRow, other.endRow) - top)
  }

  public func inset(columns horizontal: Int, rows vertical: Int) -> Rect {
    Rect(
      column: column + min(horizontal, columns), row: row + min(vertical, rows),
      columns: columns - 2 * horizontal, rows: rows - 2 * vertical)
  }

  /// Removes at most `count` rows from the top and returns them.
  public mutating func cutTop(_ count: Int) -> Rect { cut(rows: count, atEnd: false) }

  public mutating func cutBottom(_ count: Int) -> Rect { cut(rows: count, atEnd: true) }

  public mutating func cutLeft(_ count: Int) -> Rect { cut(columns: count, atEnd: false) }

  public mutating func cutRight(_ count: Int) -> Rect { cut(columns: count, atEnd: true) }

  private mutating func cut(rows count: Int, atEnd: Bool) -> Rect {
    let taken = min(max(0, count), rows)
    let rest = Rect(column: column, row: atEnd ? row : row + taken, columns: columns, rows: rows - taken)
    defer { self = rest }
    return Rect(column: column, row: atEnd ? rest.endRow : row, columns: columns, rows: taken)
  }

  private mutating func cut(columns count: Int, atEnd: Bool) -> Rect {
    let taken = min(max(0, count), columns)
    let rest = Rect(column: atEnd ? column : column + taken, row: row, columns: columns - taken, rows: rows)
    defer { self = rest }
    return Rect(column: atEnd ? rest.endColumn : column, row: row, columns: taken, rows: rows)
  }
}

/// Columns and rows of character cells, never negative.
public struct Size: Hashable, Sendable {
  public let columns: Int
  public let rows: Int

  public init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }
}

/// Position of a cell, counted from 0 at the top left.
public struct Point: Hashable, Sendable {
  public var column: Int
  public var row: Int

  public init(column: Int, row: Int) {
    (self.column, self.row) = (column, row)
  }
}
