import Glibc
import Synchronization

/// Busy handler that decides how long a connection waits for another program's commit.
///
/// An import or a new catalogue can lock the file for minutes, and a sweep that gave up would lose its
/// answers. So the limit is ten minutes, or one second once the program has been asked to end.
final class BusyHandler: Sendable {
  private let isBrief = Atomic(false)
  /// Milliseconds of each wait.
  private let limit = Atomic(600_000)
  /// Milliseconds between tries; short enough to get a turn between another program's commits.
  private let pause = Atomic(usualPause)
  private static let usualPause = 10
  private static let brief = 1000

  /// Pauses between the commits of a long write, slightly longer than the interval at which waiting writers
  /// try again.
  static func yieldToWriters() { usleep(12_000) }

  /// Pauses between commits in quick succession, long enough for a listener, which tries every millisecond.
  static func yieldToListeners() { usleep(2000) }

  /// Limits waiting to a second during `body`, for work that may be skipped.
  func briefly(_ body: () -> Void) {
    isBrief.store(true, ordering: .relaxed)
    defer { isBrief.store(false, ordering: .relaxed) }
    body()
  }

  /// Limits each wait to `milliseconds` from now on, and tries often enough for nearly every gap between the
  /// commits of a sweep.
  func limit(to milliseconds: Int64) {
    limit.min(max(Int(clamping: milliseconds), 1), ordering: .relaxed)
    pause.store(1, ordering: .relaxed)
  }

  func shorten() { limit.min(Self.brief, ordering: .relaxed) }

  /// Called by SQLite while the file is locked.
  ///
  /// - Returns: Whether to try again.
  func wait(_ tries: Int) -> Bool {
    let (limit, pause) = (limit.load(ordering: .relaxed), pause.load(ordering: .relaxed))
    guard tries * pause < (isBrief.load(ordering: .relaxed) ? min(Self.brief, limit) : limit) else {
      return false
    }
    usleep(UInt32(pause) * 1000)
    return true
  }
}
