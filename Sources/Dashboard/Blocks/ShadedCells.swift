import Screen

/// What stands behind a list's headings as a heat map, whose rows are the list's.
struct ShadedCells: Hashable, Sendable {
  struct Cell: Hashable, Sendable {
    var shade: HeatMap.Cell
    /// What Enter on it opens.
    var opening: Opening?
    /// What stands in the frame's lower edge while it is chosen.
    var note: String
  }

  /// Columns of the list that stay at the left; the others are the cells'.
  var headings: Int
  /// By the rows' ids.
  var rows: [String: [Cell?]]
  /// What stays below the rows.
  var feet: [HeatMap.Row] = []

  /// The column that is chosen in a row: the last one before it where the row has no cell there.
  func column(in row: String, near column: Int) -> Int? {
    guard let cells = rows[row] else { return nil }
    return cells.indices.last { $0 <= column && cells[$0] != nil } ?? cells.firstIndex { $0 != nil }
  }

  func cell(in row: String, near column: Int) -> Cell? {
    self.column(in: row, near: column).flatMap { rows[row]?[$0] }
  }

  /// The next cell of a row on one side; nil where it has no more.
  func column(in row: String, beside column: Int, by step: Int) -> Int? {
    guard let cells = rows[row], let here = self.column(in: row, near: column) else { return nil }
    let next = here + step
    return cells.indices.contains(next) && cells[next] != nil ? next : nil
  }
}
