import Subscriptions

/// Cache of rows in parts of hours. If a part extends a cached one, only the rest is read.
package struct CachedParts<Row: Sendable>: Sendable {
  package typealias Dated = (at: Instant, row: Row)

  private struct Part {
    var range: ClosedRange<Instant>
    /// Rows sorted by date.
    var rows: [Dated]

    func isNextTo(_ other: ClosedRange<Instant>) -> Bool {
      let all = min(range.lowerBound, other.lowerBound)...max(range.upperBound, other.upperBound)
      return range.lowerBound <= other.upperBound + 1 && other.lowerBound <= range.upperBound + 1
        && all.upperBound - all.lowerBound < Milliseconds.hour
    }
  }

  /// Maximum number of cached parts. A report has three window ends, and recovery within a day, three days
  /// and so on of each.
  private static var most: Int { 24 }

  private var parts: [Part] = []

  package init() {}

  /// - Parameter read: Reads the rows of a range that is not cached.
  package mutating func rows(
    in range: ClosedRange<Instant>, read: (ClosedRange<Instant>) throws -> [Dated]
  ) rethrows -> ArraySlice<Dated> {
    func readInOrder(_ range: ClosedRange<Instant>) throws -> [Dated] {
      try read(range).sorted { $0.at < $1.at }
    }
    func holds(_ part: Part) -> Bool {
      part.range.lowerBound <= range.lowerBound && range.upperBound <= part.range.upperBound
    }
    guard let index = parts.firstIndex(where: holds) ?? parts.firstIndex(where: { $0.isNextTo(range) })
    else {
      let rows = try readInOrder(range)
      // At the ends of time a part is longer than an hour.
      if range.upperBound - range.lowerBound < Milliseconds.hour {
        if parts.count == Self.most { parts.removeFirst() }
        parts.append(Part(range: range, rows: rows))
      }
      return rows[...]
    }
    let known = parts[index].range
    defer { parts.append(parts.remove(at: index)) }
    if range.lowerBound < known.lowerBound {
      let rows = try readInOrder(range.lowerBound...known.lowerBound - 1)
      parts[index].rows.insert(contentsOf: rows, at: 0)
      parts[index].range = range.lowerBound...known.upperBound
    }
    if range.upperBound > known.upperBound {
      parts[index].rows += try readInOrder(known.upperBound + 1...range.upperBound)
      parts[index].range = parts[index].range.lowerBound...range.upperBound
    }
    let rows = parts[index].rows
    let first = rows.lastPlace { $0.at < range.lowerBound }.map { $0 + 1 } ?? 0
    let end = rows.lastPlace { $0.at <= range.upperBound }.map { $0 + 1 } ?? 0
    return rows[first..<end]
  }
}
