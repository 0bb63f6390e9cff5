/// Parser of instants in arguments.
public enum WrittenInstant {
  public struct Problem: Error, CustomStringConvertible {
    public let description: String

    static let form = Self(
      description:
        "write a date such as 2026-11-21, a time such as 2026-11-21T09:05:00Z or 2026-11-21T09:05:00+01:00, "
        + "or milliseconds since 1970, at least "
        + "\(Instant.appStoreOpening.rawValue); times without a zone are UTC, and the year can be at most 9999"
    )

    /// Returns the error for a number that is a plausible instant only in seconds; `instant` is that instant.
    static func seconds(_ instant: Instant) -> Self {
      Self(
        description:
          "numbers are milliseconds since 1970, but this one looks like seconds; for \(instant.iso8601) write \(instant.rawValue)"
      )
    }
  }

  /// Reads an instant up to the year 9999; numbers before the App Store's opening are rejected.
  @Sendable public static func read(_ text: String) throws -> Instant {
    guard !text.hasPrefix("-"), let instant = Instant(parsing: text),
      abs(instant.rawValue / Milliseconds.day) < 2_932_897
    else { throw Problem.form }
    guard Int64(text) != nil, instant < .appStoreOpening else { return instant }
    let meant = Instant(milliseconds: instant.rawValue * 1000)
    throw meant >= .appStoreOpening && meant.civilDate.year < 2100 ? Problem.seconds(meant) : Problem.form
  }
}

/// Parser of days in arguments.
public enum WrittenDay {
  public struct Problem: Error, CustomStringConvertible {
    public let description = "write a day from 2008-07-10 to 2099-12-31, such as 2026-02-18"
  }

  @Sendable public static func read(_ text: String) throws -> CivilDate {
    guard let day = CivilDate(parsing: text), (14_070...47_481).contains(day.daysSince1970) else {
      throw Problem()
    }
    return day
  }
}

/// Parser of numbers in arguments.
public enum WrittenNumber {
  public struct Problem: Error, CustomStringConvertible {
    public let description: String
  }

  /// Returns a parser of whole numbers.
  ///
  /// The error omits an upper limit of `Number.max` unless the number exceeds it.
  public static func whole<Number: FixedWidthInteger & Sendable>(
    _ limits: ClosedRange<Number>
  ) -> @Sendable (String) throws -> Number {
    { text in
      let number = Number(text, radix: 10)
      if let number, limits.contains(number) { return number }
      let isTooLarge = number == nil && !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
      let end = limits.upperBound == .max && !isTooLarge ? "" : " to \(limits.upperBound)"
      throw Problem(description: "write a whole number from \(limits.lowerBound)\(end)")
    }
  }

  public static func decimal(_ limits: ClosedRange<Double>) -> @Sendable (String) throws -> Double {
    { text in
      let isDecimal = !text.utf8.contains { $0 | 0x20 == UInt8(ascii: "x") }
      if isDecimal, let number = Double(text), limits.contains(number) { return number }
      let (start, end) = (short(limits.lowerBound), short(limits.upperBound))
      throw Problem(description: "write a number from \(start) to \(end), such as 2.5")
    }
  }

  private static func short(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}
