import Screen

/// The cells of a list that is drawn as a heat map.
struct ShadedCells: Hashable, Sendable {
  struct Cell: Hashable, Sendable {
    var shade: HeatMap.Cell
    var drillDown: DrillDown?
    var note: String
  }

  /// Number of the list's columns that stay at the left. The others are shaded cells.
  var headings: Int
  var rows: [String: [Cell?]]
  /// Rows that stay below the others while they scroll.
  var feet: [HeatMap.Row] = []

  /// Returns the selected column of a row: `column`, or else the last one before it that has a cell, or else
  /// the first one with a cell.
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

extension Listing {
  /// Returns the list as a heat map with a selected cell; `nil` if it is an ordinary table or empty.
  func heatMap(selected: String?, offset: Int, across: AcrossCursor) -> HeatMap? {
    guard let shaded, !rows.isEmpty else { return nil }
    let titles = columns.map(\.drawn.title)
    return HeatMap(
      headings: Array(titles.prefix(shaded.headings)), titles: Array(titles.dropFirst(shaded.headings)),
      rows: rows.map { row in
        HeatMap.Row(
          id: row.id, heads: Array(row.cells.prefix(shaded.headings)),
          cells: shaded.rows[row.id]?.map { $0?.shade } ?? [])
      }, feet: shaded.feet,
      selected: selected.flatMap { row in
        shaded.column(in: row, near: across.column).map { HeatMap.Place(row: row, column: $0) }
      }, firstRow: offset, firstColumn: across.first)
  }

  func drillDown(of row: String, across: AcrossCursor) -> DrillDown? {
    guard let shaded else { return self[row: row]?.drillDown }
    return shaded.cell(in: row, near: across.column)?.drillDown
  }

  func note(of row: String, across: AcrossCursor) -> String {
    guard let shaded else { return self[row: row]?.note ?? "" }
    return shaded.cell(in: row, near: across.column)?.note ?? ""
  }

  func feetRows(in rows: Int) -> Int {
    heatMap(selected: nil, offset: 0, across: AcrossCursor())?.feetRows(in: rows) ?? 0
  }
}

/// Horizontal position in a heat map.
struct AcrossCursor: Hashable, Sendable {
  var column = 0
  var first = 0
}
