/// Visible parts of a heat map, and their places in its room.
struct HeatMapLayout {
  var heads: [PlacedColumn]
  var start: Int
  /// Columns of a cell and of its shade; the latter is 0 if no shade is drawn.
  var cell: Int
  var shade: Int
  var columns: Range<Int>
  var rows: Range<Int>
  var feet: Int

  func column(_ place: Int) -> Int { start + place * cell }
}
