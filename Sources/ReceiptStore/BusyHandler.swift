import Glibc
import Synchronization

/// How long a connection waits for another program's commit.
///
/// An import or a new catalogue may hold the file for minutes, and a sweep that gave up meanwhile would throw answers away; so
/// it waits ten minutes, and a second where somebody wants it to end.
final class BusyHandler: Sendable {
  private let isShort = Atomic(false)
  private let isBrief = Atomic(false)
  private let limit = Atomic(long)
  /// Short, so that whoever commits again and again does not always come first.
  private static let pause: UInt32 = 10_000
  private static let long = 60_000
  private static let short = 100

  /// Between the commits of something long: a little longer than those who wait take to look again.
  static func letOthersWrite() { usleep(pause + 2000) }

  /// Waits no longer than a second for what the body asks for: it can be left to others.
  func briefly(_ body: () -> Void) {
    isBrief.store(true, ordering: .relaxed)
    defer { isBrief.store(false, ordering: .relaxed) }
    body()
  }

  /// Waits no longer than so many milliseconds from now on.
  func limit(to milliseconds: Int64) {
    limit.store(max(Int(clamping: milliseconds * 1000) / Int(Self.pause), 1), ordering: .relaxed)
  }

  func shorten() { isShort.store(true, ordering: .relaxed) }

  /// SQLite's busy handler.
  ///
  /// - Returns: whether to try once more.
  func wait(_ tries: Int) -> Bool {
    let isShort = isShort.load(ordering: .relaxed) || isBrief.load(ordering: .relaxed)
    let limit = limit.load(ordering: .relaxed)
    guard tries < (isShort ? min(Self.short, limit) : limit) else { return false }
    usleep(Self.pause)
    return true
  }
}
