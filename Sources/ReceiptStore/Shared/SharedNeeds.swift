import Subscriptions
import Synchronization

/// Rows that a query needs from a team's server.
package enum SharedNeed: Hashable, Sendable {
  /// Sums of one series and grain, by bucket number.
  case sums(series: Int, grain: Int, Range<Int64>)
  /// Rows of a table of `SharedTable.rows`, by an SQL condition that may end with `ORDER BY` and `LIMIT`.
  case rows(of: String, where: String)
  /// Documents of chains, by chain id.
  case chains([Int64])
  /// Documents of the chains of lines, by line id.
  case chainsOfLines([Int64])
  /// Chain ids that an SQL query returns, and the documents of these chains.
  case query(String)
  /// Documents of the chains that an id belongs to.
  case matching(String)
  /// Documents of chains with ids that begin with a text.
  case starting(String, limit: Int)
}

/// Record of the rows on a team's server that a query needs, but that have not been fetched.
///
/// The query is repeated once the rows have been fetched, so its first results are meaningless. `current` is
/// set only while a shared store is read; elsewhere all rows are in the store.
package final class SharedNeeds: Sendable {
  @TaskLocal static var current: SharedNeeds?

  struct Fetched: Sendable {
    var needs: Set<SharedNeed> = []
    var chains: Set<Int64> = []
    /// Chain ids by the SQL query that returned them.
    var results: [String: [Int64]] = [:]
  }

  private let fetched: Fetched
  let numbers: PublishedNumbers
  let conflict: String?
  private let recorded = Mutex<[SharedNeed]>([])

  init(_ fetched: Fetched, _ state: SharedState?) {
    (self.fetched, conflict) = (fetched, state?.conflict)
    numbers = state?.numbers ?? PublishedNumbers()
  }

  var missing: [SharedNeed] { recorded.withLock { $0 } }

  private func require(_ need: SharedNeed) {
    guard !fetched.needs.contains(need) else { return }
    recorded.withLock { if !$0.contains(need) { $0.append(need) } }
  }

  static func require(_ need: @autoclosure () -> SharedNeed) {
    if let current { current.require(need()) }
  }

  /// Records that rows are needed, and returns whether they are available.
  static func has(_ need: @autoclosure () -> SharedNeed) -> Bool {
    guard let current else { return true }
    let need = need()
    current.require(need)
    return current.fetched.needs.contains(need)
  }

  /// Records that the documents of chains are needed, and returns the number of missing chains.
  @discardableResult static func require(chains: some Sequence<Int64>) -> Int {
    guard let current else { return 0 }
    let missing = chains.filter { !current.fetched.chains.contains($0) }
    if !missing.isEmpty { current.require(.chains(missing)) }
    return missing.count
  }

  /// Returns the chain ids that a query finds on the server, and requires their documents; empty until the
  /// ids have been fetched, `nil` if the store is not shared.
  static func chains(_ query: @autoclosure () throws -> String) rethrows -> [Int64]? {
    guard let current else { return nil }
    let query = try query()
    guard let found = current.fetched.results[query] else {
      current.require(.query(query))
      return []
    }
    require(chains: found)
    return found
  }

  /// Returns the greatest limit of a list's fetched rows, or `least` if there are none, and records that these
  /// rows are needed; `.max` if the store is not shared.
  static func rows(atLeast least: Int, _ need: (Int) -> SharedNeed) -> Int {
    guard let current else { return .max }
    var count = least
    while current.fetched.needs.contains(need(larger(count))) { count = larger(count) }
    current.require(need(count))
    return count
  }

  static func larger(_ count: Int) -> Int { count * 8 }

  /// Throws `StoreError` if the store is shared, because it then has no figures for parts of an hour.
  static func refuseParts() throws {
    guard current != nil else { return }
    throw StoreError(
      "a shared view has figures for whole hours only; choose a window and a time zone that begin at full hours"
    )
  }
}
