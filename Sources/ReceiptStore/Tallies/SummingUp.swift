import Dispatch
import GRDB
import Subscriptions
import Synchronization

/// Adds marks up on a thread of its own, while the writer goes on.
final class SummingUp: Sendable {
  private let queue = DispatchQueue(label: "subtop.tallies")
  private let sums = Mutex(TallySums())
  private let full = Atomic(false)

  /// Whether it is time to write them, as far as they are added up.
  var isFull: Bool { full.load(ordering: .relaxed) }

  /// - Parameters:
  ///   - before: what is taken off.
  ///   - after: what comes instead of it.
  func add(before: [[TallyMark]], after: [[TallyMark]]) {
    queue.async { [self] in
      sums.withLock { sums in
        for mark in before.joined() { sums.add(mark, times: -1) }
        for mark in after.joined() { sums.add(mark) }
        full.store(sums.isFull, ordering: .relaxed)
      }
    }
  }

  /// Adds everything to the table, and forgets it.
  func write(_ db: Database) throws {
    queue.sync {}
    full.store(false, ordering: .relaxed)
    try sums.withLock { try $0.write(db) }
  }
}
