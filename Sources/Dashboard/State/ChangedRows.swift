import Screen

/// Rows that stand out for a while, since they are not as they were.
struct ChangedRows: Hashable, Sendable {
  /// Milliseconds for which they do.
  private static let time: Int64 = 6000

  private var rows: Set<String> = []
  /// In uptime; nil where none do.
  private(set) var until: Int64?

  init() {}

  /// What differs between a list and the same one as it was read before.
  init(from old: Listing?, to new: Listing?, at uptime: Int64) {
    guard let old, let new, !old.rows.isEmpty, old.fieldNames == new.fieldNames else { return }
    let before = Dictionary(old.rows.map { ($0.id, $0.cells) }) { first, _ in first }
    // Of a list that was not read to its end, what was not read before need not be new.
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

  /// Those that stand out at an instant of uptime.
  func shown(at uptime: Int64) -> Set<String> { until.map { uptime < $0 } ?? false ? rows : [] }
}

extension String {
  /// Whether it is an age, which changes although nothing has happened.
  fileprivate var movesWithTheClock: Bool {
    let isTold = hasSuffix(" ago") || hasSuffix(" later") || hasPrefix("in ")
    if isTold || self == "now" || self == "due" { return true }
    let parts = split(separator: " ")
    return parts.count == 2 && ["s", "min", "h", "d"].contains(parts[1]) && parts[0].allSatisfy(\.isNumber)
  }
}
