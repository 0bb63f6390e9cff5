import Subscriptions

/// Lengths of time for people, in one unit so that they do not jitter: `9 d`, `5 h`.
public enum AgeText {
  public static func of(_ milliseconds: Int64) -> String { Milliseconds.text(milliseconds) }

  /// `9 d ago`, or `in 9 d` for what is to come.
  public static func ago(_ instant: Instant, at now: Instant) -> String {
    let age = now - instant
    return age.magnitude < UInt64(Milliseconds.second) ? "now" : Milliseconds.ago(age)
  }

  /// `9 d ago` of what has happened, or `9 d later` where that was after the instant that is shown: a frozen screen is of an instant that has
  /// passed, and what is recorded does not lie ahead of anyone.
  static func since(_ event: Instant, at shown: Instant) -> String {
    event - shown >= Milliseconds.second ? "\(of(event - shown)) later" : ago(event, at: shown)
  }

  /// How long after it took effect something was learnt, or before: Apple renews up to a day early.
  static func delay(_ milliseconds: Int64) -> String {
    of(milliseconds) + (milliseconds <= -Milliseconds.second ? " before" : "")
  }

  /// A share of a period, to a tenth of a day: `12.4 d`.
  static func exactDays(_ milliseconds: Int64) -> String {
    let tenths = roundedHalfToEven(Int128(milliseconds) * 10, over: Int128(Milliseconds.day))
    return "\(CountText.of(tenths / 10)).\((tenths % 10).magnitude) d"
  }
}
