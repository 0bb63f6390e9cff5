import Dispatch
import Glibc
import ReceiptStore
import Subscriptions
import Synchronization

/// Watches a store for commits of any process.
///
/// It compares the size and modification time of the write-ahead log or, for a shared view, the number of the
/// server's newest commit and the end of the published data.
final class StoreWatch: Sendable {
  private let store: ReceiptStore
  private let last: Mutex<[Int]>
  private let timer = Mutex<Ticker?>(nil)

  /// Seconds between queries to a server.
  private static let pause = 15

  init(_ store: ReceiptStore, changed: @escaping @Sendable () -> Void) {
    self.store = store
    last = Mutex(Self.mark(of: store))
    let pause = store.isShared ? Self.pause : 1
    let timer = Ticker(every: .seconds(pause), after: pause) { [weak self] in self?.look(changed) }
    self.timer.withLock { $0 = timer }
  }

  private func look(_ changed: () -> Void) {
    let now = Self.mark(of: store)
    let isNew = last.withLock { last in
      defer { last = now }
      return last != now
    }
    if isNew { changed() }
  }

  private static func mark(of store: ReceiptStore) -> [Int] {
    // If the server cannot be reached, the screen keeps what it shows.
    guard !store.isShared else {
      return ((try? store.readShared()) ?? store.shared).map { [Int($0.seq), Int($0.at.rawValue)] } ?? []
    }
    var status = stat()
    guard stat(store.log, &status) == 0 else { return [] }
    return [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, Int(status.st_size)]
  }
}
