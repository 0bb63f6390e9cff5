import ArgumentParser
import Subscriptions

extension Instant {
  /// Of our era, and of four digits' years: no figure can be asked for at the ends of time.
  init(option text: String) throws {
    guard !text.hasPrefix("-"), let instant = Instant(parsing: text),
      abs(instant.rawValue / Milliseconds.day) < 2_932_897
    else {
      throw ValidationError(
        "give a day, as 2026-11-21, a time, as 2026-11-21T09:05:00Z or 2026-11-21T09:05:00+01:00, or milliseconds since 1970; the last "
          + "year is 9999, and what names no zone is UTC")
    }
    self = instant
  }
}
