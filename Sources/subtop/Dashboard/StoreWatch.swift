import Glibc
import Synchronization

/// Tells when anybody, this process or another, has committed to a store.
///
/// SQLite appends every commit to the write-ahead log, so that the log's size and time tell of it without opening the
/// file: a look costs one system call, and an idle store costs nothing more.
final class StoreWatch: Sendable {
  private struct Mark: Equatable {
    var seconds = 0
    var nanoseconds = 0
    var size: off_t = 0
  }

  private let log: String
  private let last: Mutex<Mark>
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

  private static func mark(of path: String) -> Mark {
    var status = stat()
    guard stat(path, &status) == 0 else { return Mark() }
    return Mark(
      seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec, size: status.st_size)
  }
}
