import Screen

/// Rows that are highlighted for some seconds after they changed.
struct ChangedRows: Hashable, Sendable {
  /// Milliseconds of the highlight.
  private static let time: Int64 = 6000

  private var rows: Set<String> = []
  /// End of the highlight in uptime; `nil` if no row is highlighted.
  private(set) var until: Int64?

  init() {}

  init(from old: Listing?, to new: Listing?, at uptime: Int64) {
    guard let old, let new, !old.rows.isEmpty, old.fieldNames == new.fieldNames else { return }
    let before = Dictionary(old.rows.map { ($0.id, $0.cells) }) { first, _ in first }
    // If the old list was incomplete, a row that it lacked is not necessarily new.
    let isWhole = old.total == nil && old.hidden == 0
    for row in new.rows {
      guard let cells = before[row.id] else {
        if isWhole { rows.insert(row.id) }
        continue
      }
      let differs = zip(cells, row.cells).contains { $0.text != $1.text && !$1.text.movesWithTheClock }
      if differs { rows.insert(row.id) }
    }
    until = rows.isEmpty ? nil : uptime + Self.time
  }

  func shown(at uptime: Int64) -> Set<String> { until.map { uptime < $0 } ?? false ? rows : [] }
}

extension String {
  /// Whether it is an age, which changes with the clock alone.
  fileprivate var movesWithTheClock: Bool {
    let isTold = hasSuffix(" ago") || hasSuffix(" later") || hasPrefix("in ")
    if isTold || self == "now" || self == "due" { return true }
    let parts = split(separator: " ")
    return parts.count == 2 && ["s", "min", "h", "d"].contains(parts[1]) && parts[0].allSatisfy(\.isNumber)
  }
}
