/// Parser of numbers in arguments and configuration.
public enum WrittenNumber {
  public struct Problem: Error, CustomStringConvertible {
    public let description: String
  }

  /// Returns a parser that throws a `Problem`, which names the upper limit unless it is the type's maximum
  /// and the number does not exceed it.
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
      throw Problem(description: "write a number from \(start) to \(end), as 2.5")
    }
  }

  private static func short(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}
