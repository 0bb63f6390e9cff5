/// Where in a screen of blocks somebody is.
struct ListCursor: Hashable, Sendable {
  /// The figure that stands out; nil where the selection is in the list.
  var spot: Spot.ID?
  /// The row that stands out, by what it is about.
  var selected: String?
  /// Whether somebody chose the row.
  var isMoved = false
  /// The list's first row that shows.
  var offset = 0
  /// Where in its cells, where it is a heat map.
  var across = AcrossCursor()
  /// Rows of the screen scrolled away.
  var scroll = 0
  /// What the rows open that somebody marked: a row that is read anew keeps its mark.
  var marked: Set<Opening> = []
  /// Rows that are new, or not as they were, since they were last read.
  var changed = ChangedRows()
}
