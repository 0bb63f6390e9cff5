import Subscriptions
import TestSupport
import Testing

@Suite struct CurrentRowTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let rows: [Transaction]
    let at: Instant
    let current: String
    var isLive = true
    var isRevoked = false
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(
      name: "the greatest expiry, not the last of the array",
      rows: [monthly("2", 30, 60), monthly("1", 0, 30)], at: day(90), current: "2"),
    Case(
      name: "a renewal created ahead is not live yet", rows: [monthly("1", 0, 30), monthly("2", 30, 60)],
      at: day(30) - 1, current: "1"),
    Case(
      name: "equal expiry: the later purchase", rows: [monthly("1", 5, 30), monthly("2", 0, 30)], at: day(40),
      current: "1"),
    Case(
      name: "equal dates: the greater id", rows: [monthly("10", 0, 30), monthly("9", 0, 30)], at: day(1),
      current: "10"),
    Case(
      name: "a refunded row that reaches further does not win",
      rows: [refunded(row("yearly", "1", 0, 365), at: day(10)), monthly("2", 20, 50)], at: day(60),
      current: "1", isLive: false, isRevoked: true),
    Case(
      name: "a refund that does not reach beyond",
      rows: [refunded(monthly("1", 0, 30), at: day(10)), monthly("2", 20, 50)], at: day(60), current: "2"),
    Case(
      name: "a refund of a row that reaches just as far",
      rows: [refunded(monthly("1", 0, 50), at: day(10)), monthly("2", 20, 50)], at: day(60), current: "2"),
    Case(
      name: "several refunds: the greatest expiry",
      rows: [refunded(monthly("1", 0, 30), at: day(31)), refunded(monthly("2", 30, 60), at: day(31))],
      at: day(90), current: "2", isLive: false, isRevoked: true),
    Case(
      name: "an upgraded row that reaches further does not win",
      rows: [upgraded(row("yearly", "1", 0, 365)), monthly("2", 20, 50)], at: day(60), current: "2"),
    Case(
      name: "until it is upgraded it is live",
      rows: [upgraded(row("yearly", "1", 0, 365)), monthly("2", 20, 50)], at: day(20) - 1, current: "1"),
    Case(
      name: "refunded before upgraded, where none is live",
      rows: [upgraded(row("yearly", "1", 0, 365)), refunded(monthly("2", 20, 50), at: day(25))], at: day(60),
      current: "2", isLive: false, isRevoked: true),
    Case(
      name: "an upgrade that nothing dates is dead from its purchase", rows: [upgraded(monthly("1", 0, 30))],
      at: day(0), current: "1", isLive: false),
  ])
  func current(_ test: Case) throws {
    let verdict = try #require(try Chain.make(test.rows).line().verdict(at: test.at))
    #expect(verdict.current.id.rawValue == test.current)
    #expect(verdict.current.isLive(at: test.at) == test.isLive)
    #expect((verdict.state == .revoked) == test.isRevoked)
  }
}
