import Screen

/// Cells of a list that is drawn as a heat map.
struct ShadedCells: Hashable, Sendable {
  struct Cell: Hashable, Sendable {
    var shade: HeatMap.Cell
    var drillDown: DrillDown?
    var note: String
  }

  /// Number of columns that stay at the left; the other columns are shaded cells.
  var headings: Int
  var rows: [String: [Cell?]]
  /// Rows that stay at the bottom while the other rows scroll.
  var feet: [HeatMap.Row] = []

  /// Returns the column to select in a row; `nil` if the row has no cells.
  ///
  /// It is the last column up to `column` that has a cell, or else the first column that has one.
  func column(in row: String, near column: Int) -> Int? {
    guard let cells = rows[row] else { return nil }
    return cells.indices.last { $0 <= column && cells[$0] != nil } ?? cells.firstIndex { $0 != nil }
  }

  func cell(in row: String, near column: Int) -> Cell? {
    self.column(in: row, near: column).flatMap { rows[row]?[$0] }
  }

  func column(in row: String, beside column: Int, by step: Int) -> Int? {
    guard let cells = rows[row], let here = self.column(in: row, near: column) else { return nil }
    let next = here + step
    return cells.indices.contains(next) && cells[next] != nil ? next : nil
  }
}
