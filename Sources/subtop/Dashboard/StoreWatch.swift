import Glibc
import Synchronization

/// Watches a store for commits of any process. SQLite appends every commit to the write-ahead log, so each
/// check compares only the log's size and modification time.
final class StoreWatch: Sendable {
  private let log: String
  private let last: Mutex<[Int]>
  private let timer = Mutex<Ticker?>(nil)

  init(log: String, changed: @escaping @Sendable () -> Void) {
    self.log = log
    last = Mutex(Self.mark(of: log))
    let timer = Ticker(after: 1) { [weak self] in self?.look(changed) }
    self.timer.withLock { $0 = timer }
  }

  private func look(_ changed: () -> Void) {
    let now = Self.mark(of: log)
    let isNew = last.withLock { last in
      defer { last = now }
      return last != now
    }
    if isNew { changed() }
  }

  private static func mark(of path: String) -> [Int] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [] }
    return [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, Int(status.st_size)]
  }
}
