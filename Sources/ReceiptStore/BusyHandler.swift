import Glibc
import Synchronization

/// Busy handler that decides how long a connection waits for another program's commit.
///
/// An import or a new catalogue can lock the file for minutes, and a sweep that gave up would lose its
/// answers. So the limit is ten minutes, or one second once the program has been asked to end.
final class BusyHandler: Sendable {
  private let isShort = Atomic(false)
  private let isBrief = Atomic(false)
  /// In microseconds.
  private let limit = Atomic(long)
  private let pause = Atomic(usualPause)
  /// Microseconds between tries; short enough to get a turn between another program's commits.
  private static let usualPause: UInt32 = 10_000
  /// Microseconds between tries when callers wait: short enough for nearly every gap between the commits of a
  /// sweep.
  private static let shortPause: UInt32 = 1000
  private static let long = 600_000_000
  private static let short = 1_000_000

  /// Pauses between the commits of a long write, slightly longer than the interval at which waiting writers
  /// try again.
  static func yieldToWriters() { usleep(usualPause + 2000) }

  /// Pauses between commits in quick succession, long enough for a listener, which tries every millisecond.
  static func yieldToListeners() { usleep(2000) }

  func briefly(_ body: () -> Void) {
    isBrief.store(true, ordering: .relaxed)
    defer { isBrief.store(false, ordering: .relaxed) }
    body()
  }

  /// Limits each wait to `milliseconds` from now on, and tries more often.
  func limit(to milliseconds: Int64) {
    limit.store(max(Int(clamping: min(milliseconds, 600_000)) * 1000, 1), ordering: .relaxed)
    pause.store(Self.shortPause, ordering: .relaxed)
  }

  func shorten() { isShort.store(true, ordering: .relaxed) }

  /// Called by SQLite while the file is locked.
  ///
  /// - Returns: Whether to try again.
  func wait(_ tries: Int) -> Bool {
    let isShort = isShort.load(ordering: .relaxed) || isBrief.load(ordering: .relaxed)
    let limit = limit.load(ordering: .relaxed)
    let pause = pause.load(ordering: .relaxed)
    guard tries * Int(pause) < (isShort ? min(Self.short, limit) : limit) else { return false }
    usleep(pause)
    return true
  }
}
