import ArgumentParser
import Subscriptions

extension Instant {
  /// Of four digits' years: no figure can be asked for at the ends of time. A number below 0 is taken for a slip.
  init(option text: String) throws {
    guard !text.hasPrefix("-"), let instant = Instant(parsing: text),
      abs(instant.rawValue / Milliseconds.day) < 2_932_897
    else {
      throw ValidationError(
        "give a day, as 2026-11-21, a time, as 2026-11-21T09:05:00Z or 2026-11-21T09:05:00+01:00, or milliseconds since 1970, from 0; the "
          + "last year is 9999, and what names no zone is UTC")
    }
    self = instant
  }
}
