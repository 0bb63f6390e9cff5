import Screen

extension Listing {
  /// Returns the list as a heat map with a selected cell; `nil` if the list is an ordinary table or empty.
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

/// Selected column and first visible column of a heat map.
struct AcrossCursor: Hashable, Sendable {
  var column = 0
  var first = 0
}
