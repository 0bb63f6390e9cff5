import Subscriptions

/// Durations in a single unit, so that they do not jitter: `9 d`, `5 h`.
public enum AgeText {
  public static func of(_ milliseconds: Int64) -> String { Milliseconds.text(milliseconds) }

  /// `9 d ago`, or `in 9 d` in the future.
  public static func ago(_ instant: Instant, at now: Instant) -> String {
    let age = now - instant
    return age.magnitude < UInt64(Milliseconds.second) ? "now" : Milliseconds.ago(age)
  }

  /// `9 d ago`, or `9 d later` for an event after the instant of the screen. A frozen screen shows a past
  /// instant, and recorded events are never in the future.
  static func since(_ event: Instant, at shown: Instant) -> String {
    event - shown >= Milliseconds.second ? "\(of(event - shown)) later" : ago(event, at: shown)
  }

  /// Detection lag of an event. It can be negative, because Apple renews up to a day early.
  static func delay(_ milliseconds: Int64) -> String {
    of(milliseconds) + (milliseconds <= -Milliseconds.second ? " before" : "")
  }

  /// Days with one decimal: `12.4 d`.
  static func exactDays(_ milliseconds: Int64) -> String {
    let tenths = roundedHalfToEven(Int128(milliseconds) * 10, over: Int128(Milliseconds.day))
    return "\(CountText.of(tenths / 10)).\((tenths % 10).magnitude) d"
  }
}
