/// Parser of instants in arguments and configuration.
public enum WrittenInstant {
  public struct Problem: Error, CustomStringConvertible {
    public let description: String

    static let form = Self(
      description:
        "give a day, as 2026-11-21, a time, as 2026-11-21T09:05:00Z or 2026-11-21T09:05:00+01:00, or milliseconds since 1970, from "
        + "\(Instant.appStoreOpening.rawValue) on; the last year is 9999, and what names no zone is UTC")

    /// A number that would be after the App Store's opening if it were in seconds.
    static func seconds(_ instant: Instant) -> Self {
      Self(
        description:
          "a number is one of milliseconds since 1970, and this one looks like seconds: for \(instant.iso8601) give \(instant.rawValue)"
      )
    }
  }

  /// Reads an instant up to the year 9999, or throws a `Problem`. Negative numbers and numbers before the App
  /// Store's opening are taken for mistakes.
  @Sendable public static func read(_ text: String) throws -> Instant {
    guard !text.hasPrefix("-"), let instant = Instant(parsing: text),
      abs(instant.rawValue / Milliseconds.day) < 2_932_897
    else { throw Problem.form }
    guard Int64(text) != nil, instant < .appStoreOpening else { return instant }
    let meant = Instant(milliseconds: instant.rawValue * 1000)
    throw meant >= .appStoreOpening && meant.civilDate.year < 2100 ? Problem.seconds(meant) : Problem.form
  }
}
