import GRDB
import Subscriptions
import Synchronization

/// Rows that questions read one by one, kept for the next for as long as nothing is written. A window's ends move by seconds between
/// one question and the next, so that it asks for nearly the same: at a million lines that is most of what its figures take.
final class LedgerCache: Sendable {
  /// All changes up to an instant.
  struct Beginning: Sendable {
    var end: Instant
    var sums: ClassSums<ChangeClass, Turnover>
  }

  struct Rows: Sendable {
    var beginnings = FewLatest<Beginning>()
    var changes = CachedParts<ClassSums<ChangeClass, Turnover>.Part>()
    var facts: [FactFamily: CachedParts<ClassSums<FactClass, FactSum>.Part>] = [:]
    var unpaid: UnpaidSpans?
    var pending = FewLatest<PendingPeriods>()
    var episodes = FewLatest<StandingEpisodes>()
  }

  /// A state of the store: `PRAGMA data_version` tells the states that one connection has seen from each other.
  struct State: Sendable {
    private let connection: Connection
    private let version: Int
    /// Amounts are told in a reporting currency or not.
    private let isConverted: Bool

    /// Nobody asks more of it than whether it is the same.
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

  /// What is known of a state. It must be put back; until then other callers start with nothing.
  func take(_ state: State) -> Rows {
    kept.withLock { kept in
      defer { kept = nil }
      return kept.flatMap { $0.state.isSame(as: state) ? $0.rows : nil } ?? Rows()
    }
  }

  func put(_ rows: Rows, _ state: State) { kept.withLock { $0 = (state, rows) } }
}

/// The last few values that were asked for: a question asks about both ends of its window, and of offers about several families.
struct FewLatest<Value: Sendable>: Sendable {
  private static var most: Int { 8 }

  private var values: [Value] = []

  /// What is asked for, out of what is kept; nil where it is not there.
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

/// Rows of parts of hours. Of a part that reaches beyond one that is kept, only the rest is read.
package struct CachedParts<Row: Sendable>: Sendable {
  package typealias Dated = (at: Instant, row: Row)

  private struct Part {
    var range: ClosedRange<Instant>
    /// In order of time.
    var rows: [Dated]

    func isNextTo(_ other: ClosedRange<Instant>) -> Bool {
      let all = min(range.lowerBound, other.lowerBound)...max(range.upperBound, other.upperBound)
      return range.lowerBound <= other.upperBound + 1 && other.lowerBound <= range.upperBound + 1
        && all.upperBound - all.lowerBound < Milliseconds.hour
    }
  }

  /// A question has three ends of windows, but for what became of billing retry within a day, three days and so on of each.
  private static var most: Int { 24 }

  private var parts: [Part] = []

  package init() {}

  /// - Parameter read: takes a part that is not kept.
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
    let first = rows.firstPlace { $0.at >= range.lowerBound }
    return rows[first..<max(first, rows.firstPlace { $0.at > range.upperBound })]
  }
}

extension RandomAccessCollection where Index == Int {
  /// The place of the first that is so, of which all that follow are; or the end.
  func firstPlace(where isSo: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isSo(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
