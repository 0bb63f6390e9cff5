/// Reads a number that somebody wrote for a program; whoever wrote something else is told what to write.
public enum WrittenNumber {
  /// What to write instead, in words without a capital and a full stop.
  public struct Problem: Error, CustomStringConvertible {
    public let description: String
  }

  /// Throws a `Problem`. That there is an end goes without saying where it is the type's own, unless the number is beyond it.
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

  /// Throws a `Problem`.
  public static func decimal(_ limits: ClosedRange<Double>) -> @Sendable (String) throws -> Double {
    { text in
      let isDecimal = !text.utf8.contains { $0 | 0x20 == UInt8(ascii: "x") }
      if isDecimal, let number = Double(text), limits.contains(number) { return number }
      let (start, end) = (short(limits.lowerBound), short(limits.upperBound))
      throw Problem(description: "write a number from \(start) to \(end), as 2.5")
    }
  }

  private static func short(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}
