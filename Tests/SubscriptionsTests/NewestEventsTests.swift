import Subscriptions
import TestSupport
import Testing

/// The newest events are the first of all in their order, in whatever order they come.
@Suite struct NewestEventsTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var panel = Panel.events
    var limit: Int
    /// Instants, chains and reasons.
    var events: [(Int64, String, String)]
    var listed: [String]
  }

  private static let apart: [(Int64, String, String)] = [
    (1, "3", "oldest"), (3, "2", "newest"), (2, "1", "middle"),
  ]
  private static let alike: [(Int64, String, String)] = [
    (5, "10", "c"), (5, "9", "b"), (5, "9", "a"), (5, "100", "d"), (4, "1", "older"), (6, "500", "newer"),
  ]

  @Test(arguments: [
    Case(testDescription: "none of some", limit: 0, events: apart, listed: []),
    Case(testDescription: "one", limit: 1, events: apart, listed: ["newest"]),
    Case(testDescription: "all but one", limit: 2, events: apart, listed: ["newest", "middle"]),
    Case(
      testDescription: "as many as there are", limit: 3, events: apart,
      listed: ["newest", "middle", "oldest"]),
    Case(testDescription: "beyond all", limit: .max, events: apart, listed: ["newest", "middle", "oldest"]),
    Case(testDescription: "some of none", limit: 5, events: [], listed: []),
    Case(testDescription: "cut within a chain", limit: 2, events: alike, listed: ["newer", "a"]),
    Case(
      testDescription: "cut between chains, the shorter id first", limit: 4, events: alike,
      listed: ["newer", "a", "b", "c"]),
    Case(
      testDescription: "cut after what happened at once", limit: 5, events: alike,
      listed: ["newer", "a", "b", "c", "d"]),
    Case(
      testDescription: "all that happened at once", limit: 6, events: alike,
      listed: ["newer", "a", "b", "c", "d", "older"]),
    Case(
      testDescription: "no more than an overview has", panel: .overview, limit: 1000,
      events: (0..<70).map { ($0, "1", "\($0)") }, listed: (20..<70).reversed().map { "\($0)" }),
    Case(
      testDescription: "fewer than an overview has", panel: .overview, limit: 2, events: apart,
      listed: ["newest", "middle"]),
  ])
  func lists(_ of: Case) {
    var random = Seeded(11)
    for _ in 0..<20 {
      var newest = NewestEvents(Question(panel: of.panel, at: day(0), limit: of.limit))
      for (t, chain, reason) in of.events.shuffled(using: &random) {
        newest.add(
          LineEvent(
            .cancellation, apple: "", reason: reason, environment: .production,
            chain: OriginalTransactionID(chain), product: ProductID("monthly"),
            effectiveAt: Instant(milliseconds: t), observedAt: day(0)))
      }
      #expect(newest.listed.compactMap(\.reason) == of.listed)
    }
  }
}
