import ArgumentParser

/// Reads a number that an option takes; whoever writes something else is told what to write.
enum NumberOption {
  static func whole<Number: FixedWidthInteger & Sendable>(
    _ limits: ClosedRange<Number>
  ) -> @Sendable (String) throws -> Number {
    { text in
      guard let number = Number(text, radix: 10), limits.contains(number) else {
        let end = limits.upperBound == .max ? "" : " to \(limits.upperBound)"
        throw ValidationError("write a whole number from \(limits.lowerBound)\(end)")
      }
      return number
    }
  }

  /// Requests a second.
  @Sendable static func rate(_ text: String) throws -> Double {
    guard let rate = Double(text), (0.01...100_000).contains(rate) else {
      throw ValidationError("write a number from 0.01 to 100000, as 2.5")
    }
    return rate
  }
}
