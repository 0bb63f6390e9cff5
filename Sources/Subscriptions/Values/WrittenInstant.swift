/// Reads an instant that somebody wrote for a program; whoever wrote something else is told what to write.
public enum WrittenInstant {
  /// What to write instead, in words without a capital and a full stop.
  public struct Problem: Error, CustomStringConvertible {
    public let description =
      "give a day, as 2026-11-21, a time, as 2026-11-21T09:05:00Z or 2026-11-21T09:05:00+01:00, or milliseconds since 1970, from 0; the "
      + "last year is 9999, and what names no zone is UTC"
  }

  /// Of four digits' years: no figure can be asked for at the ends of time. A number below 0 is taken for a slip. Throws a `Problem`.
  @Sendable public static func read(_ text: String) throws -> Instant {
    guard !text.hasPrefix("-"), let instant = Instant(parsing: text),
      abs(instant.rawValue / Milliseconds.day) < 2_932_897
    else { throw Problem() }
    return instant
  }
}
