import Glibc
import Synchronization

/// SQLite busy handler, which decides how long a connection waits for another program's lock.
///
/// An import or a new catalog can lock the file for minutes, and a sweep that stopped waiting would lose the
/// answers it received. So the limit is ten minutes, or one second once the program is asked to end.
final class BusyHandler: Sendable {
  private let isBrief = Atomic(false)
  /// Maximum duration of a wait, in milliseconds.
  private let limit = Atomic(600_000)
  /// Milliseconds between tries, short enough to find the gaps between another program's commits.
  private let pause = Atomic(usualPause)
  private static let usualPause = 10
  private static let brief = 1000

  /// Sleeps between the commits of a long write, longer than the 10 ms between the tries of other writers.
  static func yieldToWriters() { usleep(12_000) }

  /// Sleeps between frequent commits, so that a waiting listener, which tries every millisecond, can write.
  static func yieldToListeners() { usleep(2000) }

  /// Limits each wait during `body` to one second, for work that may be skipped.
  func briefly(_ body: () -> Void) {
    isBrief.store(true, ordering: .relaxed)
    defer { isBrief.store(false, ordering: .relaxed) }
    body()
  }

  /// Limits each wait, and tries every millisecond, to find nearly every gap between a sweep's commits.
  func limit(to milliseconds: Int64) {
    limit.min(max(Int(clamping: milliseconds), 1), ordering: .relaxed)
    pause.store(1, ordering: .relaxed)
  }

  func shorten() { limit.min(Self.brief, ordering: .relaxed) }

  /// Returns whether SQLite, which calls this while the file is locked, should try again.
  func wait(_ tries: Int) -> Bool {
    let (limit, pause) = (limit.load(ordering: .relaxed), pause.load(ordering: .relaxed))
    guard tries * pause < (isBrief.load(ordering: .relaxed) ? min(Self.brief, limit) : limit) else {
      return false
    }
    usleep(UInt32(pause) * 1000)
    return true
  }
}
