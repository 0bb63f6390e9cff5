/// Reads an instant that somebody wrote for a program; whoever wrote something else is told what to write.
public enum WrittenInstant {
  /// What to write instead, in words without a capital and a full stop.
  public struct Problem: Error, CustomStringConvertible {
    public let description: String

    static let form = Self(
      description:
        "give a day, as 2026-11-21, a time, as 2026-11-21T09:05:00Z or 2026-11-21T09:05:00+01:00, or milliseconds since 1970, from "
        + "\(Instant.appStoreOpening.rawValue) on; the last year is 9999, and what names no zone is UTC")

    /// Of a number that is in the App Store's time if it is one of seconds.
    static func seconds(_ instant: Instant) -> Self {
      Self(
        description:
          "a number is one of milliseconds since 1970, and this one looks like seconds: for \(instant.iso8601) give \(instant.rawValue)"
      )
    }
  }

  /// Of four digits' years: no figure can be asked for at the ends of time. A number below 0, or of a time before there was an App Store,
  /// is taken for a slip. Throws a `Problem`.
  @Sendable public static func read(_ text: String) throws -> Instant {
    guard !text.hasPrefix("-"), let instant = Instant(parsing: text),
      abs(instant.rawValue / Milliseconds.day) < 2_932_897
    else { throw Problem.form }
    guard Int64(text) != nil, instant < .appStoreOpening else { return instant }
    let meant = Instant(milliseconds: instant.rawValue * 1000)
    throw meant >= .appStoreOpening && meant.civilDate.year < 2100 ? Problem.seconds(meant) : Problem.form
  }
}
