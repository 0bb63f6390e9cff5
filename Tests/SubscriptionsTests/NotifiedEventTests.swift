import Subscriptions
import TestSupport
import Testing

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
    (chain.lines(catalog: .usual).flatMap(\.events.withoutOverdue) + chain.ownEvents).sorted(
      by: LineEvent.newestFirst
    )
    .reversed()
    .map { event in
      [event.type.rawValue, event.reason, event.notificationType.map { "notified \($0)" }].compactMap(
        \.self
      )
      .joined(separator: " ")
    }
  }

  /// Apple reports an upgrade as CANCEL of the old row and INTERACTIVE_RENEWAL of the new, without a refund.
  @Test(arguments: [
    [("CANCEL", "1")], [("INTERACTIVE_RENEWAL", "2")], [("INTERACTIVE_RENEWAL", "2"), ("CANCEL", "1")],
    [("CANCEL", "1"), ("INTERACTIVE_RENEWAL", "2")],
  ])
  func anUpgrade(_ notices: [(String, String)]) {
    var chain = Chain.make(
      [upgraded(monthly("1", 0, 30), confirmed: day(12) + 3000), row("yearly", "2", 12, 377)],
      validated: day(13))
    chain.notifications = notices.enumerated().map { index, notice in
      notification(NotificationType(notice.0), notice.1, at: day(13) + Int64(index)) {
        $0.cancellationDate = day(12) + 3000
      }
    }
    let feed = feed(chain)
    #expect(feed.count <= 3 && feed.allSatisfy { !$0.contains("CUSTOMER_SUPPORT") }, "\(feed)")
    #expect(feed.contains { $0.hasPrefix("PRODUCT_CHANGE notified") })
  }

  /// A line that contains the transaction is preferred to one that only has its product.
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

  /// Events that a notification confirms get its transaction, but no price.
  @Test func theTransactionThatItNames() throws {
    let infos = [
      RenewalObservation.make(at: day(1), .make()), .make(at: day(5), .make(next: "weekly")),
      .make(at: day(8), .make(autoRenew: false)),
    ]
    var chain = Chain.make([monthly("1", 0, 30)], infos: infos, validated: day(9))
    for (type, subtype, t) in [
      (NotificationType.didChangeRenewalPref, "DOWNGRADE", 5),
      (.didChangeRenewalStatus, "AUTO_RENEW_DISABLED", 8),
    ] {
      chain.notifications.append(
        notification(type, "1", at: day(t)) { ($0.subtype, $0.isSigned) = (subtype, true) })
    }
    let events = try chain.line().events.filter { $0.notificationType != nil }
    #expect(events.map(\.type) == [.productChange, .cancellation])
    #expect(
      events.allSatisfy { $0.transactionID == TransactionID("1") && $0.price == nil && $0.priceSign == 0 })
  }

  @Test(arguments: [false, true]) func aWithdrawnProductIsReportedAsUnavailable(isAlone: Bool) throws {
    let before = isAlone ? [] : [RenewalObservation.make(at: day(1), .make())]
    var chain = Chain.make(
      [monthly("1", 0, 30)], infos: before + [.make(at: day(20), .make(autoRenew: false))],
      validated: day(31))
    chain.renewals.append(.make(at: day(31), .make(autoRenew: false, retry: true)))
    chain.notifications = [
      notification(.didChangeRenewalStatus, "1", at: day(20)) {
        ($0.subtype, $0.isSigned) = ("AUTO_RENEW_DISABLED", true)
      },
      notification(.expired, "1", at: day(31)) { ($0.subtype, $0.isSigned) = ("PRODUCT_NOT_FOR_SALE", true) },
    ]
    let reasons = try chain.line().events.compactMap(\.reason)
    #expect(Set(reasons) == ["PRODUCT_UNAVAILABLE"], "\(reasons)")
  }

  struct Redated: CustomTestStringConvertible, Sendable {
    let name: String
    /// Refund dates as observed on days 11, 12 and so on; `nil` if there is none.
    let seen: [Int?]
    /// Dates in the REFUND notifications of the same days; if there are any, reversals are notified too.
    let notified: [Int?]
    /// Days of refunds, and of reversals as negative numbers.
    let feed: [Int]
    var testDescription: String { name }
  }

  /// METRICS §6: a refund whose date Apple changes is one refund, with the newest date.
  @Test(
    arguments: [
      Redated(name: "decided twice", seen: [4, 9], notified: [4, 9], feed: [9]),
      Redated(name: "notified once", seen: [4, 9], notified: [4, nil], feed: [9]),
      Redated(name: "not notified", seen: [4, 9], notified: [nil, nil], feed: [9]),
      Redated(name: "taken back between", seen: [4, nil, 9], notified: [4, nil, 9], feed: [4, -12, 9]),
      Redated(
        name: "taken back, and dated twice again", seen: [4, nil, 8, 9], notified: [4, nil, 8, 9],
        feed: [4, -12, 9]),
      Redated(name: "taken back", seen: [4, nil], notified: [4, nil], feed: [4, -12]),
      Redated(
        name: "another date, and taken back", seen: [4, 9, nil], notified: [4, 9, nil], feed: [9, -13]),
      Redated(
        name: "another date, and taken back, not notified", seen: [4, 9, nil], notified: [nil],
        feed: [9, -13]),
    ], [false, true]) func aRefundWithAnotherDate(_ test: Redated, isOneTime: Bool) throws
  {
    func bought(_ refund: Int?) -> Transaction {
      var bought = monthly("1", 0, 30)
      if isOneTime { bought.expiresDate = nil }
      bought.terms = SignedTerms(signedAt: day(1))
      bought.terms?.price = Money(micros: 29_990_000, currency: CurrencyCode("USD"))
      bought.cancellationDate = refund.map { day($0) }
      return bought
    }
    var chain = Chain.make([bought(test.seen.last ?? nil)], validated: day(20))
    let observed = test.seen.enumerated().map { place, refund in
      EndsObservation(ends: bought(refund).ends, from: day(11 + place), through: day(11 + place))
    }
    chain.endsHistory[TransactionID("1")] = observed
    chain.notifications = test.notified.enumerated().compactMap { place, refund in
      refund.map { refund in
        notification(.refund, "1", at: day(11 + place)) {
          ($0.cancellationDate, $0.isSigned) = (day(refund), true)
        }
      }
    }
    let isNotified = test.notified[0] != nil
    for (place, refund) in test.seen.enumerated() where isNotified && refund == nil {
      chain.notifications.append(
        notification(.refundReversed, "1", at: day(11 + place)) { $0.isSigned = true })
    }
    let all = isOneTime ? chain.ownEvents : try chain.line().events
    let events = all.filter { $0.takesBack || $0.type == .refundReversed }
      .sorted { $0.observedAt < $1.observedAt }
    #expect(
      events.map { Int(($0.effectiveAt - day(0)) / Milliseconds.day) * ($0.takesBack ? 1 : -1) } == test.feed)
    #expect(events.allSatisfy { ($0.notificationType != nil) == isNotified })
    let sum = all.compactMap(\.price?.micros).reduce(0, +)
    #expect(sum == (test.seen.last == .some(nil) ? 29_990_000 : 0))
  }

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

extension [LineEvent] {
  /// Events except those that only follow from time.
  var withoutOverdue: [LineEvent] { filter { $0.type != .overdue } }
}
