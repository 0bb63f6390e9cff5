import Subscriptions
import Sweep
import Testing

@Suite struct BackoffTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let failures: Int
    let chance: Double
    var retryAfter: Int?
    let wait: Int64
  }

  static let cases: [Case] = [
    Case(testDescription: "the first, at worst", failures: 1, chance: 1, wait: Milliseconds.minute),
    Case(testDescription: "the first, at best", failures: 1, chance: 0, wait: 0),
    Case(testDescription: "the second", failures: 2, chance: 1, wait: 2 * Milliseconds.minute),
    Case(testDescription: "the fourth, half way", failures: 4, chance: 0.5, wait: 4 * Milliseconds.minute),
    Case(testDescription: "the last that grows", failures: 9, chance: 1, wait: 256 * Milliseconds.minute),
    Case(testDescription: "the first at the ceiling", failures: 10, chance: 1, wait: 6 * Milliseconds.hour),
    Case(testDescription: "the millionth", failures: 1_000_000, chance: 1, wait: 6 * Milliseconds.hour),
    Case(testDescription: "none counted", failures: 0, chance: 1, wait: Milliseconds.minute),
    Case(
      testDescription: "the server asks for more", failures: 1, chance: 0, retryAfter: 90,
      wait: 90 * Milliseconds.second),
    Case(
      testDescription: "the server asks for less", failures: 1, chance: 1, retryAfter: 1,
      wait: Milliseconds.minute),
    Case(
      testDescription: "the server asks for a year", failures: 1, chance: 0, retryAfter: 31_536_000,
      wait: 6 * Milliseconds.hour),
  ]

  @Test(arguments: cases) func waits(_ one: Case) {
    let backoff = Backoff.standard
    #expect(
      backoff.wait(failures: one.failures, chance: one.chance, retryAfter: one.retryAfter) == one.wait)
  }
}
