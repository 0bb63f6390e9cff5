import Glibc
import Synchronization

/// How long a connection waits for another program's commit.
///
/// An import or a new catalogue may hold the file for minutes, and a sweep that gave up meanwhile would throw answers away; so
/// it waits ten minutes, and a second where somebody wants it to end.
final class BusyHandler: Sendable {
  private let isShort = Atomic(false)
  private let isBrief = Atomic(false)
  /// Microseconds.
  private let limit = Atomic(long)
  private let pause = Atomic(usualPause)
  /// Short, so that whoever commits again and again does not always come first.
  private static let usualPause: UInt32 = 10_000
  /// Of one for whom somebody waits: it looks again in nearly every gap between the commits of a sweep.
  private static let shortPause: UInt32 = 1000
  private static let long = 600_000_000
  private static let short = 1_000_000

  /// Between the commits of something long: a little longer than those who wait take to look again.
  static func yieldToWriters() { usleep(usualPause + 2000) }

  /// The same between commits that follow each other at once: whoever answers others looks again each millisecond.
  static func yieldToListeners() { usleep(2000) }

  /// Waits no longer than a second for what the body asks for: it can be left to others.
  func briefly(_ body: () -> Void) {
    isBrief.store(true, ordering: .relaxed)
    defer { isBrief.store(false, ordering: .relaxed) }
    body()
  }

  /// Waits no longer than so many milliseconds from now on, and looks again more often.
  func limit(to milliseconds: Int64) {
    limit.store(max(Int(clamping: min(milliseconds, 600_000)) * 1000, 1), ordering: .relaxed)
    pause.store(Self.shortPause, ordering: .relaxed)
  }

  func shorten() { isShort.store(true, ordering: .relaxed) }

  /// SQLite's busy handler.
  ///
  /// - Returns: whether to try once more.
  func wait(_ tries: Int) -> Bool {
    let isShort = isShort.load(ordering: .relaxed) || isBrief.load(ordering: .relaxed)
    let limit = limit.load(ordering: .relaxed)
    let pause = pause.load(ordering: .relaxed)
    guard tries * Int(pause) < (isShort ? min(Self.short, limit) : limit) else { return false }
    usleep(pause)
    return true
  }
}
