extension Table {
  /// The first row to show so that the selected one is among those visible.
  public func scrolledOffset(visible: Int) -> Int {
    let last = max(0, rows.count - visible)
    let kept = min(max(0, offset), last)
    guard visible > 0, let selected, let index = rows.firstIndex(where: { $0.id == selected }) else {
      return kept
    }
    return min(max(kept, index - visible + 1), index)
  }

  /// The id of the row so many rows from the selected one, held within the table.
  ///
  /// Without a selection the first row, whatever the distance; nil in an empty table.
  public func selection(movedBy distance: Int) -> String? {
    guard !rows.isEmpty else { return nil }
    guard let selected, let index = rows.firstIndex(where: { $0.id == selected }) else { return rows[0].id }
    let (target, overflow) = index.addingReportingOverflow(distance)
    let end = distance < 0 ? 0 : rows.count - 1
    return rows[overflow ? end : min(max(0, target), rows.count - 1)].id
  }

  /// The row drawn at a place of the rectangle the table was drawn in; nil on the titles and below the rows.
  public func row(at place: Point, in rect: Rect) -> TableRow? {
    guard rect.contains(place), place.row > rect.row else { return nil }
    let index = scrolledOffset(visible: rect.rows - 1) + place.row - rect.row - 1
    return rows.indices.contains(index) ? rows[index] : nil
  }

  /// The column whose title is drawn at a place, as an index into `columns`.
  public func title(at place: Point, in rect: Rect) -> Int? {
    guard rect.contains(place), place.row == rect.row else { return nil }
    return TableColumn.place(columns, in: rect.columns).first {
      let start = rect.column + $0.column
      return (start..<start + $0.width + TableColumn.gap).contains(place.column)
    }?.index
  }

  /// `12–34 of 1,234`: which rows show, out of how many there are.
  ///
  /// - Parameter total: all rows there are when the table holds only some of them.
  public func footer(visible: Int, total: Int? = nil, in glyphs: GlyphSet = .unicode) -> String {
    let all = total ?? rows.count
    guard !rows.isEmpty, visible > 0 else { return "0 of \(all.grouped)" }
    let first = scrolledOffset(visible: visible)
    let last = min(rows.count, first + visible)
    return "\((first + 1).grouped)\(glyphs.dash)\(last.grouped) of \(all.grouped)"
  }
}

extension BinaryInteger {
  /// In groups of three digits: `28,192`.
  public var grouped: String {
    var digits = Array(String(magnitude))
    var at = digits.count - 3
    while at > 0 {
      digits.insert(",", at: at)
      at -= 3
    }
    return (self < 0 ? "-" : "") + String(digits)
  }
}
