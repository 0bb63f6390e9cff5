import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Neither the order of answers nor later answers may change what was known at an instant.
@Suite struct OrderTests {
  static let worlds = seeds(60, sanitized: 3)

  private func outcomes(_ world: World, to ids: [ReceiptID]) -> [(at: Instant, ReceiptOutcome)] {
    zip(ids, world.stories).flatMap { id, story in
      story.outcomes.map { (at: $0.at, ReceiptOutcome(receipt: id, result: $0.result)) }
    }.sorted { $0.at < $1.at }
  }

  @Test(arguments: worlds)
  func theOrderOfAnswersDoesNotMatter(_ seed: UInt64) throws {
    let world = World(seed: seed)
    var random = Seeded(seed)
    let inOrder = try Shelf()
    let last = (world.days.last ?? day(0)) + 4.days
    for (at, outcome) in outcomes(world, to: try inOrder.keep(world)) {
      _ = try inOrder.store.record([outcome], of: nil, at: at)
    }
    let shuffled = try Shelf()
    var rest = outcomes(world, to: try shuffled.keep(world)).shuffled(using: &random)[...]
    while !rest.isEmpty {
      let batch = rest.prefix(random.pick(1, 2, 5))
      rest = rest.dropFirst(batch.count)
      // A gone account is dated by the store's own clock.
      for (at, outcome) in batch { _ = try shuffled.store.record([outcome], of: nil, at: at) }
    }
    let (before, after) = (try inOrder.evidence(), try shuffled.evidence())
    #expect(Set(before).symmetricDifference(after) == [])
    #expect(before.count == after.count)
    for t in [last, last + 40.days] + world.days.shuffled(using: &random).prefix(2) {
      for asKnownThen in [false, true] {
        for panel in Panel.allCases {
          var question = Question(panel: panel, at: t, windowDays: 300, environment: .all)
          question.asKnownThen = asKnownThen
          let found = differences(try inOrder.store.report(question), try shuffled.store.report(question))
          #expect(found == [], "\(panel) at \(t)")
        }
      }
    }
  }

  /// A report as known at an earlier instant must equal the report made at that instant.
  @Test(arguments: worlds) func asKnownThen(_ seed: UInt64) throws {
    var random = Seeded(seed)
    let world = World(seed: seed)
    let (today, then) = (try Shelf(), try Shelf())
    try today.live(world)
    var rest = outcomes(world, to: try then.keep(world))[...]
    for t in world.days {
      while let (at, outcome) = rest.first, at <= t {
        _ = try then.store.record([outcome], of: nil, at: at)
        rest = rest.dropFirst()
      }
      for panel in Panel.allCases {
        var question = Question(
          panel: panel, at: t, windowDays: random.pick(200, 200, 28, 7),
          environment: random.pick(.all, .all, .production),
          products: random.pick([], [], [ProductID("monthly")], [ProductID("weekly"), ProductID("plus")]),
          limit: random.pick(1000, 1000, 2, 0))
        question.offers = random.pick(.all, .all, .kind(.standard), .offer(.promo, "SPRING"))
        let expected = try then.store.report(question)
        question.asKnownThen = true
        let found = differences(try today.store.report(question), expected)
        #expect(found == [], "\(question)")
      }
    }
  }
}
