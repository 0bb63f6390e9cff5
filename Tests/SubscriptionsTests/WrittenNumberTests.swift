import Subscriptions
import Testing

@Suite("What is written for a number") struct WrittenNumberTests {
  @Test(
    arguments: [
      ("1", nil), ("180", nil), ("+7", nil), ("0", "write a whole number from 1 to 180"),
      ("181", "write a whole number from 1 to 180"), ("", "write a whole number from 1 to 180"),
      ("1.5", "write a whole number from 1 to 180"),
      ("99999999999999999999", "write a whole number from 1 to 180"),
    ] as [(String, String?)])
  func isWithinLimits(_ text: String, _ problem: String?) {
    #expect(said { try WrittenNumber.whole(1...180)(text) } == problem)
  }

  /// The maximum of the type appears in the message only for larger numbers.
  @Test(
    arguments: [
      ("9223372036854775807", nil), ("abc", "write a whole number from 1"),
      ("-1", "write a whole number from 1"),
      ("0", "write a whole number from 1"),
      ("9223372036854775808", "write a whole number from 1 to 9223372036854775807"),
    ] as [(String, String?)])
  func mayBeAsLargeAsItsType(_ text: String, _ problem: String?) {
    #expect(said { try WrittenNumber.whole(1...Int64.max)(text) } == problem)
  }

  @Test(arguments: [
    ("0.01", true), ("2.5", true), ("100000", true), ("0", false), ("100000.1", false), ("nan", false),
    ("inf", false), ("fast", false), ("", false), ("0x10", false), ("1e2", true),
  ])
  func mayBeADecimal(_ text: String, _ isTaken: Bool) {
    let problem = isTaken ? nil : "write a number from 0.01 to 100000, such as 2.5"
    #expect(said { try WrittenNumber.decimal(0.01...100_000)(text) } == problem)
  }

  private func said<Number>(_ read: () throws -> Number) -> String? {
    do {
      _ = try read()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
