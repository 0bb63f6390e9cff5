import Screen

extension Listing {
  /// The list as a heat map, a cell of the selected row chosen; nil where it is none, or has no row to show.
  func heatMap(selected: String?, offset: Int, across: AcrossCursor) -> HeatMap? {
    guard let shaded, !rows.isEmpty else { return nil }
    let titles = columns.map(\.title)
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

  /// What a row opens, or its cell in a heat map.
  func opening(of row: String, across: AcrossCursor) -> Opening? {
    guard let shaded else { return openings[row] }
    return shaded.cell(in: row, near: across.column)?.opening
  }

  /// What is to be said of a row, or of its cell in a heat map, in more and in fewer words.
  func notes(of row: String, across: AcrossCursor) -> [String] {
    guard let shaded else { return notes[row] ?? [] }
    return (shaded.cell(in: row, near: across.column)?.note).map { [$0] } ?? []
  }

  /// Rows at the foot of a heat map in a room of so many.
  func feetRows(in rows: Int) -> Int {
    heatMap(selected: nil, offset: 0, across: AcrossCursor())?.feetRows(in: rows) ?? 0
  }
}

/// Where in the cells of a heat map somebody is.
struct AcrossCursor: Hashable, Sendable {
  var column = 0
  /// The first column that shows.
  var first = 0
}
