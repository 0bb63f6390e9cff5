import Subscriptions

extension AppleJSONWriter {
  /// Apple's three forms: the text in UTC, milliseconds as a string, and the text by the clock of Los Angeles.
  mutating func date(_ key: StaticString, _ instant: Instant) {
    self.key(key)
    dateText(instant, zone: " Etc/GMT")
    suffixedName(key, "_ms")
    bytesOfMilliseconds(instant)
    suffixedName(key, "_pst")
    dateText(instant + PacificTime.offset(at: instant), zone: " America/Los_Angeles")
    endMember()
  }

  mutating func date(_ key: StaticString, _ instant: Instant?) {
    if let instant { date(key, instant) }
  }

  /// `"2026-11-21 09:05:00 Etc/GMT"`; milliseconds are cut off.
  mutating func dateText(_ local: Instant, zone: StaticString) {
    let day = local.civilDate
    let second = Int(local.millisecondOfDay / Milliseconds.second)
    raw("\"")
    digits(day.year, width: 4)
    raw("-")
    digits(day.month, width: 2)
    raw("-")
    digits(day.day, width: 2)
    raw(" ")
    digits(second / 3600, width: 2)
    raw(":")
    digits(second / 60 % 60, width: 2)
    raw(":")
    digits(second % 60, width: 2)
    raw(zone)
    raw("\"")
  }

  mutating func bytesOfMilliseconds(_ instant: Instant) {
    raw("\"")
    digits(instant.rawValue)
    raw("\"")
  }

  private mutating func suffixedName(_ key: StaticString, _ suffix: StaticString) {
    raw(", ")
    name(key, suffix: suffix)
  }
}
