import Subscriptions
import TestSupport
import Testing

@Suite struct CurrentRowTests {

  @Test(
    arguments: [
      ("equal expiry: the later purchase", [monthly("1", 5, 30), monthly("2", 0, 30)], day(40), "1", false),
      ("equal dates: the greater id", [monthly("10", 0, 30), monthly("9", 0, 30)], day(1), "10", false),
      (
        "a refund of a row that reaches just as far",
        [refunded(monthly("1", 0, 50), at: day(10)), monthly("2", 20, 50)], day(60), "2", false
      ),
      (
        "refunded before upgraded, where none is live",
        [upgraded(row("yearly", "1", 0, 365)), refunded(monthly("2", 20, 50), at: day(25))], day(60), "2",
        true
      ),
    ] as [(String, [Transaction], Instant, String, Bool)])
  func current(
    _ name: String, _ rows: [Transaction], _ at: Instant, _ current: String, _ isRevoked: Bool
  ) throws {
    let verdict = try #require(try Chain.make(rows).line().verdict(at: at))
    #expect(verdict.current.id.rawValue == current)
    #expect(verdict.current.isLive(at: at) == !isRevoked)
    #expect((verdict.state == .revoked) == isRevoked)
  }
}
