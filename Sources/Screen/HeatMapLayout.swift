/// What of a heat map shows in a room, and where.
struct HeatMapLayout {
  var heads: [PlacedColumn]
  /// Where the cells begin.
  var start: Int
  /// Columns of a cell, and of its shade where that is drawn.
  var cell: Int
  var shade: Int
  /// What shows of the columns and of the rows.
  var columns: Range<Int>
  var rows: Range<Int>
  /// Rows that stay below.
  var feet: Int

  func column(_ place: Int) -> Int { start + place * cell }
}
