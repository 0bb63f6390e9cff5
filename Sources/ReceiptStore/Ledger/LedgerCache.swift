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
    var beginnings = RecentlyUsed<Beginning>()
    var changes = CachedParts<ClassSums<ChangeClass, Turnover>.Part>()
    var facts: [FactFamily: CachedParts<ClassSums<FactClass, FactSum>.Part>] = [:]
    var unpaid: UnpaidSpans?
    var pending = RecentlyUsed<PendingPeriods>()
    var episodes = RecentlyUsed<StandingEpisodes>()
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
struct RecentlyUsed<Value: Sendable>: Sendable {
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
