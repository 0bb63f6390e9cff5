import Subscriptions
import TestSupport
import Testing

/// What notifications add, where they speak of upgrades, of one of several lines, and of one-time purchases.
@Suite struct NotifiedEventTests {
  private func notification(
    _ type: NotificationType, _ transaction: String?, at t: Instant = day(13),
    change: (inout ServerNotification) -> Void = { _ in }
  ) -> ServerNotification {
    var facts = ServerNotification(
      type: type, environment: .production, originalTransactionID: OriginalTransactionID("1"), observedAt: t)
    facts.transactionID = transaction.map(TransactionID.init)
    change(&facts)
    return facts
  }

  private func feed(_ chain: Chain) -> [String] {
    (chain.lines(catalog: .usual).flatMap(\.events.told) + chain.ownEvents).sorted(by: LineEvent.newestFirst)
      .reversed()
      .map { event in
        [event.type.rawValue, event.reason, event.notificationType.map { "notified \($0)" }].compactMap(
          \.self
        )
        .joined(separator: " ")
      }
  }

  /// Apple tells of an upgrade by CANCEL of the old row and INTERACTIVE_RENEWAL of the new: neither is a refund.
  @Test(arguments: [
    [("CANCEL", "1")], [("INTERACTIVE_RENEWAL", "2")], [("INTERACTIVE_RENEWAL", "2"), ("CANCEL", "1")],
    [("CANCEL", "1"), ("INTERACTIVE_RENEWAL", "2")],
  ])
  func anUpgrade(_ told: [(String, String)]) {
    var chain = Chain.make(
      [upgraded(monthly("1", 0, 30), confirmed: day(12) + 3000), row("yearly", "2", 12, 377)],
      validated: day(13))
    chain.notifications = told.enumerated().map { index, told in
      notification(NotificationType(told.0), told.1, at: day(13) + Int64(index)) {
        $0.cancellationDate = day(12) + 3000
      }
    }
    let feed = feed(chain)
    #expect(feed.count <= 3 && feed.allSatisfy { !$0.contains("CUSTOMER_SUPPORT") }, "\(feed)")
    #expect(feed.contains { $0.hasPrefix("PRODUCT_CHANGE notified") })
  }

  /// The line that holds the transaction comes before one that only has its product.
  @Test func oneOfTwoLines() throws {
    let old = monthly("1", -60, -30) { $0.subscriptionGroupIdentifier = SubscriptionGroupID("A") }
    let new = [monthly("2", 0, 30), monthly("3", 30, 60)].map { row in
      var row = row
      row.subscriptionGroupIdentifier = SubscriptionGroupID("B")
      return row
    }
    var chain = Chain.make([old] + new, validated: day(31))
    chain.notifications = [notification(.didRenew, "3", at: day(31))]
    let lines = chain.lines(catalog: .usual)
    #expect(lines.map { $0.events.count { $0.notificationType == .didRenew } } == [0, 1])
    #expect(lines.flatMap(\.events).count { $0.type == .renewal } == 1)
  }

  /// A purchase that does not renew, and its refund, are told once.
  @Test(arguments: [true, false])
  func oneTimePurchases(withALine: Bool) {
    var coins = Transaction.make("9", product: "coins", purchase: day(3), expires: nil)
    coins.cancellationDate = day(4)
    var chain = Chain.make(withALine ? [coins, monthly("1", 0, 30)] : [coins], validated: day(5))
    chain.notifications = [
      notification(.refund, "9", at: day(5)) { $0.cancellationDate = day(4) },
      notification(NotificationType("ONE_TIME_CHARGE"), "9", at: day(3)),
      notification(.consumptionRequest, "9", at: day(4)),
    ]
    let line = withALine ? ["INITIAL_PURCHASE"] : []
    #expect(
      feed(chain).sorted()
        == (line + [
          "CANCELLATION CUSTOMER_SUPPORT notified REFUND", "CONSUMPTION_REQUEST notified CONSUMPTION_REQUEST",
          "NON_RENEWING_PURCHASE notified ONE_TIME_CHARGE",
        ]).sorted())
  }
}
