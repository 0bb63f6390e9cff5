import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct OrderTests {
  /// Kept answers come in any order: what they come to does not depend on it.
  @Test(arguments: 0..<80)
  func theOrderOfAnswersDoesNotMatter(_ seed: UInt64) throws {
    let world = World(seed: seed, renewals: .neverTheSameAgain)
    var random = Seeded(seed)
    let inOrder = try Shelf()
    try inOrder.live(world)
    let shuffled = try Shelf()
    let ids = try shuffled.keep(world)
    let told = zip(ids, world.stories).flatMap { id, story in story.answers.map { (id, $0) } }
    for (id, answer) in told.shuffled(using: &random) { try shuffled.take(answer, for: id) }
    for (id, story) in zip(ids, world.stories) {
      guard let gone = story.goneAt else { continue }
      _ = try shuffled.store.record([ReceiptOutcome(receipt: id, result: .accountGone)], at: gone)
    }
    let last = world.days.last ?? day(0)
    for panel in Panel.allCases {
      for t in [last, last + 40.days] {
        let question = Question(panel: panel, at: t, windowDays: 300, environment: .all)
        let found = differences(try inOrder.store.report(question), try shuffled.store.report(question))
        #expect(found == [], "\(panel)")
      }
    }
  }

  /// A question about a past day, by what was known then, is answered as on that day.
  @Test(arguments: 0..<40)
  func asKnownThen(_ seed: UInt64) throws {
    let world = World(seed: seed, renewals: .alwaysNews)
    let today = try Shelf()
    try today.live(world)
    for t in world.days {
      let then = try Shelf()
      try then.live(world, until: t)
      for panel in Panel.allCases {
        var question = Question(panel: panel, at: t, windowDays: 200, environment: .all)
        let expected = try then.store.report(question)
        question.asKnownThen = true
        let found = differences(try today.store.report(question), expected)
        #expect(found == [], "\(panel)")
      }
    }
  }
}
