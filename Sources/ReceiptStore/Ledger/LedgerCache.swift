import GRDB
import Subscriptions
import Synchronization

/// Cache of rows that reports read one by one, valid while nothing is written.
///
/// The ends of a window move by seconds from one report to the next, so most rows are the same. At a million
/// lines reading them takes most of a report's time.
final class LedgerCache: Sendable {
  struct Beginning: Sendable {
    var end: Instant
    var sums: ClassSums<ChangeClass, ChangeSum>
  }

  struct Rows: Sendable {
    var beginnings = RecentlyUsed<Beginning>()
    var changes = CachedParts<ClassSums<ChangeClass, ChangeSum>.Part>()
    var facts: [FactFamily: CachedParts<ClassSums<FactClass, FactSum>.Part>] = [:]
    var unpaid: UnpaidSpans?
    var pending = RecentlyUsed<PendingPeriods>()
    var episodes = RecentlyUsed<OpenEpisodes>()
  }

  /// State of the store. `PRAGMA data_version` distinguishes the states seen by one connection.
  struct State: Sendable {
    private let connection: Connection
    private let version: Int
    /// Whether amounts are also reported in a reporting currency.
    private let isConverted: Bool

    /// Only compared by identity, so it is safe to send.
    private struct Connection: @unchecked Sendable {
      weak var database: Database?
    }

    init(_ db: Database, isConverted: Bool) throws {
      connection = Connection(database: db)
      version = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0
      self.isConverted = isConverted
    }

    fileprivate func isSame(as other: State) -> Bool {
      guard let database = connection.database else { return false }
      return database === other.connection.database && version == other.version
        && isConverted == other.isConverted
    }
  }

  private let kept = Mutex<(state: State, rows: Rows)?>(nil)

  /// Takes the rows cached for a state. The caller must put them back; until then other callers get an empty
  /// cache.
  func take(_ state: State) -> Rows {
    kept.withLock { kept in
      defer { kept = nil }
      return kept.flatMap { $0.state.isSame(as: state) ? $0.rows : nil } ?? Rows()
    }
  }

  func put(_ rows: Rows, _ state: State) { kept.withLock { $0 = (state, rows) } }
}

/// Last few values that were used. A report reads both ends of its window, and several families for offers.
struct RecentlyUsed<Value: Sendable>: Sendable {
  private static var most: Int { 8 }

  private var values: [Value] = []

  mutating func first<Answer>(_ find: (Value) -> Answer?) -> Answer? {
    for index in values.indices {
      guard let answer = find(values[index]) else { continue }
      values.append(values.remove(at: index))
      return answer
    }
    return nil
  }

  mutating func keep(_ value: Value) {
    if values.count == Self.most { values.removeFirst() }
    values.append(value)
  }
}

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
