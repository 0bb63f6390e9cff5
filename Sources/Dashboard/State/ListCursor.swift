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
  /// Rows of the screen scrolled away.
  var scroll = 0
}
