import Subscriptions
import TestSupport
import Testing

@Suite struct UpgradeFiguresTests {
  struct Change: CustomTestStringConvertible {
    let name: String
    let rows: [Transaction]
    /// Direction of row `y`.
    let direction: ChangeDirection?
    var testDescription: String { name }
  }

  @Test(arguments: [
    Change(
      name: "at the expiry", rows: [monthly("x", 0, 30), row("weekly", "y", 30, 37)], direction: .downgrade),
    Change(
      name: "24 h ahead", rows: [monthly("x", 0, 30), row("weekly", "y", 29, 37)], direction: .downgrade),
    Change(
      name: "earlier than that",
      rows: [monthly("x", 0, 30), .make("y", product: "weekly", purchase: day(29) - 1, expires: day(37))],
      direction: nil),
    Change(
      name: "60 days after", rows: [monthly("x", 0, 30), row("weekly", "y", 90, 97)], direction: .downgrade),
    Change(
      name: "later than that",
      rows: [monthly("x", 0, 30), .make("y", product: "weekly", purchase: day(90) + 1, expires: day(97))],
      direction: nil),
    Change(name: "the same product", rows: [monthly("x", 0, 30), monthly("y", 30, 60)], direction: nil),
    Change(
      name: "the same level", rows: [monthly("x", 0, 30), row("plus", "y", 30, 60)], direction: .crossgrade),
    Change(
      name: "a higher level", rows: [monthly("x", 0, 30), row("yearly", "y", 30, 395)], direction: .unranked),
    Change(
      name: "to an unlisted product",
      rows: [
        monthly("x", 0, 30) { $0.subscriptionGroupIdentifier = SubscriptionGroupID("G") },
        row("other", "y", 30, 60) { $0.subscriptionGroupIdentifier = SubscriptionGroupID("G") },
      ], direction: .unranked),
    Change(
      name: "the successor of an upgraded row",
      rows: [monthly("w", 0, 30), upgraded(monthly("x", 30, 60)), row("yearly", "y", 31, 396)], direction: nil
    ),
    Change(
      name: "leaving out an upgraded row in between",
      rows: [
        monthly("w", 0, 10), monthly("v", 10, 29),
        upgraded(.make("x", product: "plus", purchase: day(10) + 6.hours, expires: day(40))),
        row("weekly", "y", 30, 37),
      ],
      direction: .downgrade),
    Change(
      name: "of a row that was upgraded away later",
      rows: [row("yearly", "x", -335, 30), upgraded(monthly("y", 30, 60)), row("yearly", "z", 45, 410)],
      direction: .downgrade),
  ])
  func changesAtRenewal(_ test: Change) throws {
    let line = try Chain.make(test.rows).line()
    #expect(line.rows.first { $0.id.rawValue == "y" }?.change?.direction == test.direction)
  }
}
