import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct SignedNotificationStoreTests {
  private func receive(
    _ notifications: [SignedNotification], into shelf: Shelf, at now: Instant
  ) throws
    -> [NotificationOutcome]
  {
    try shelf.store.receive(notifications.map(ReceivedNotification.signed), at: now)
  }

  private func events(_ shelf: Shelf, at t: Instant) throws -> [LineEvent] {
    try shelf.store.chains(matching: "1", at: t).flatMap { $0.lines.flatMap(\.events) + $0.events }
  }

  @Test func aNewCustomerComesDue() throws {
    let shelf = try Shelf()
    let notifications = [1, 2].map { id in
      ReceivedNotification.signed(
        makeSignedNotification(.subscribed, "INITIAL_BUY", id: id, monthly("1", 0, 30), .make(), at: day(1)))
    }
    #expect(try shelf.store.add([notifications[0]], at: day(1)).due == 1)
    #expect(try shelf.store.status(at: day(1)).dueNow == 1)
    #expect(try shelf.store.add(notifications, at: day(1)).due == 0)
  }

  struct NotifiedEvent: CustomTestStringConvertible, Sendable {
    let type: NotificationType
    let subtype: String?
    /// Event that the notification confirms or creates.
    let event: LineEvent.Kind
    let isAlone: Bool
    let row: @Sendable () -> Transaction
    let info: @Sendable () -> RenewalInfo?
    let at: Int
    var testDescription: String { "\(type) \(subtype ?? "-")" }

    init(
      _ type: NotificationType, _ subtype: String?, is event: LineEvent.Kind, alone isAlone: Bool = false,
      at: Int,
      _ row: @autoclosure @escaping @Sendable () -> Transaction = monthly("1", 0, 30),
      _ info: @autoclosure @escaping @Sendable () -> RenewalInfo? = .make()
    ) {
      (self.type, self.subtype, self.event, self.isAlone) = (type, subtype, event, isAlone)
      (self.row, self.info, self.at) = (row, info, at)
    }
  }

  private static func refunded() -> Transaction { monthly("1", 0, 30) { $0.cancellationDate = day(9) } }

  private static let table: [NotifiedEvent] = [
    NotifiedEvent(.subscribed, "INITIAL_BUY", is: .initialPurchase, at: 0),
    NotifiedEvent(.didRenew, nil, is: .renewal, at: 30, monthly("2", 30, 60)),
    NotifiedEvent(.didRenew, "BILLING_RECOVERY", is: .renewal, at: 30, monthly("2", 30, 60)),
    NotifiedEvent(.subscribed, "RESUBSCRIBE", is: .resubscribe, at: 135, monthly("2", 135, 165)),
    NotifiedEvent(
      .didChangeRenewalStatus, "AUTO_RENEW_DISABLED", is: .cancellation, at: 9, monthly("1", 0, 30),
      .make(autoRenew: false)),
    NotifiedEvent(
      .didChangeRenewalPref, "DOWNGRADE", is: .productChange, at: 9, monthly("1", 0, 30),
      .make(next: "weekly")),
    NotifiedEvent(.didChangeRenewalPref, nil, is: .productChange, alone: true, at: 9),
    NotifiedEvent(
      .didFailToRenew, nil, is: .billingIssue, at: 30, monthly("1", 0, 30),
      .make(intent: .billingError, retry: true)),
    NotifiedEvent(
      .didFailToRenew, "GRACE_PERIOD", is: .billingIssue, at: 30, monthly("1", 0, 30),
      .make(intent: .billingError, retry: true, grace: day(46))),
    NotifiedEvent(
      .expired, "VOLUNTARY", is: .expiration, at: 30, monthly("1", 0, 30),
      .make(autoRenew: false, intent: .customerCancelled, retry: false)),
    NotifiedEvent(
      .priceIncrease, "PENDING", is: .priceConsentPending, at: 9, monthly("1", 0, 30), .make(consent: "0")),
    NotifiedEvent(
      .priceIncrease, "ACCEPTED", is: .priceConsentAccepted, alone: true, at: 9, monthly("1", 0, 30),
      .make(consent: "1")),
    NotifiedEvent(.refund, nil, is: .cancellation, at: 10, refunded()),
    NotifiedEvent(.refundReversed, nil, is: .refundReversed, alone: true, at: 12),
    NotifiedEvent(.renewalExtended, nil, is: .subscriptionExtended, at: 9, monthly("1", 0, 44)),
    NotifiedEvent(.consumptionRequest, nil, is: LineEvent.Kind("CONSUMPTION_REQUEST"), alone: true, at: 9),
    NotifiedEvent(
      NotificationType("REFUND_DECLINED"), nil, is: LineEvent.Kind("REFUND_DECLINED"), alone: true, at: 9),
    NotifiedEvent(
      NotificationType("NEW_OF_2031"), "ELSE", is: LineEvent.Kind("NEW_OF_2031"), alone: true, at: 9),
  ]

  /// A notification confirms an existing event or is one itself, but never both.
  @Test(arguments: table) func isOneEvent(_ notified: NotifiedEvent) throws {
    let shelf = try Shelf()
    let t = day(notified.at, hours: 1)
    if notified.at > 0 {
      try shelf.take(
        makeAnswer(at: day(0, hours: 2), monthly("1", 0, 30), infos: [.make()]),
        for: try shelf.keep(someReceipt))
    }
    let before = try events(shelf, at: t).count { $0.type == notified.event && !$0.isNotifiedOnly }
    let outcome = try receive(
      [
        makeSignedNotification(notified.type, notified.subtype, id: 1, notified.row(), notified.info(), at: t)
      ], into: shelf,
      at: t)
    #expect(outcome == [.kept])
    let noted = try events(shelf, at: t + 1.hours).filter { $0.notificationType != nil }
    #expect(noted.map(\.type) == [notified.event])
    let event = try #require(noted.first)
    #expect(event.isNotifiedOnly == notified.isAlone)
    #expect(
      event.appleName
        == LineEvent.AppleName(notified.type.rawValue + (notified.subtype.map { "/" + $0 } ?? "")))
    let after = try events(shelf, at: t + 1.hours).count {
      $0.type == notified.event && !$0.isNotifiedOnly
    }
    #expect(after <= before + 1, "it is not repeated")
    let kept = try #require(try shelf.table("notifications").first)
    #expect(kept.contains("uuid=\"\(SignedNotificationFields.uuid(1))\""))
    try expectSums(of: shelf)
  }

  private func expectSums(of shelf: Shelf) throws {
    let question = Question(panel: .events, at: day(200), windowDays: 300, environment: .all)
    #expect(
      differences(try shelf.store.report(question), try shelf.store.evidenceLedger().report(question)) == [])
  }

  private func story() -> [SignedNotification] {
    [
      makeSignedNotification(.subscribed, "INITIAL_BUY", id: 1, monthly("1", 0, 30), .make(), at: day(0)),
      makeSignedNotification(
        .didChangeRenewalStatus, "AUTO_RENEW_DISABLED", id: 2, monthly("1", 0, 30), .make(autoRenew: false),
        at: day(5)),
      makeSignedNotification(
        .didChangeRenewalStatus, "AUTO_RENEW_ENABLED", id: 3, monthly("1", 0, 30), .make(), at: day(6)),
      makeSignedNotification(.didRenew, id: 4, monthly("2", 30, 60), .make(), at: day(30)),
      makeSignedNotification(
        .refund, id: 5, monthly("2", 30, 60) { $0.cancellationDate = day(33) }, .make(), at: day(34)),
      makeSignedNotification(.refundReversed, id: 6, monthly("2", 30, 60), .make(), at: day(40)),
      makeSignedNotification(
        .didFailToRenew, "GRACE_PERIOD", id: 7, monthly("2", 30, 60),
        .make(intent: .billingError, retry: true, grace: day(76)), at: day(60)),
      makeSignedNotification(
        .gracePeriodExpired, id: 8, monthly("2", 30, 60), .make(intent: .billingError, retry: true),
        at: day(76)),
      makeSignedNotification(
        .didRenew, "BILLING_RECOVERY", id: 9, monthly("3", 80, 110), .make(), at: day(80)),
      makeSignedNotification(NotificationType("TEST"), id: 10, nil, nil, at: day(81)),
    ]
  }

  @Test func importingIsTheSame() throws {
    let (received, imported) = (try Shelf(), try Shelf())
    _ = try receive(story(), into: received, at: day(100))
    let summary = try imported.store.add(story().reversed().map(ReceivedNotification.signed), at: day(100))
    #expect(summary.changed == 10 && summary.newTransactions == 3)
    #expect(try received.store.evidenceLedger().lines == imported.store.evidenceLedger().lines)
    for shelf in [received, imported] {
      let before = try shelf.everyTable()
      #expect(try receive(story(), into: shelf, at: day(101)) == Array(repeating: .replayed, count: 10))
      #expect(try shelf.store.add(story().map(ReceivedNotification.signed), at: day(102)).changed == 0)
      let after = try shelf.everyTable()
      for (table, rows) in before { #expect(after[table] == rows, "\(table)") }
    }
  }

  @Test func anOlderRowChangesNothing() throws {
    let shelf = try Shelf()
    let refund = makeSignedNotification(
      .refund, id: 1, monthly("1", 0, 30) { $0.cancellationDate = day(9) }, nil, at: day(10))
    let purchase = makeSignedNotification(
      .subscribed, "INITIAL_BUY", id: 2, monthly("1", 0, 30), .make(), at: day(0))
    _ = try receive([refund], into: shelf, at: day(10))
    _ = try receive([purchase], into: shelf, at: day(11))
    let chain = try #require(try shelf.store.chains(matching: "1", at: day(12)).first)
    #expect(chain.lines.first?.state == .revoked)
    #expect(try shelf.store.signedRows(matching: "1").contains { $0.payload == "1 \(day(10) - 20)" })
  }

  @Test(arguments: [NotificationType.subscribed, .didRenew, .didChangeRenewalStatus, .refund])
  func itsReceiptComesDue(_ type: NotificationType) throws {
    let shelf = try Shelf(makeAnswer(at: day(1), monthly("1", 0, 30)))
    #expect(try shelf.dueInstants() != [day(2)])
    for (id, instant) in [(1, day(2)), (2, day(3))] {
      let notification = makeSignedNotification(type, id: id, monthly("1", 0, 30), .make(), at: instant)
      _ = try receive([notification], into: shelf, at: instant)
      #expect(try shelf.dueInstants() == [day(2)])
    }
  }

  @Test func forAnotherAppItIsRefused() throws {
    let shelf = try Shelf(makeAnswer(at: day(1), monthly("1", 0, 30)))
    var strange = makeSignedNotification(.refund, id: 1, monthly("1", 0, 30), nil, at: day(31))
    strange.rows[0].answer.bundleID = BundleID("stranger")
    let good = makeSignedNotification(.didRenew, id: 2, monthly("2", 30, 60), .make(), at: day(30))
    let outcomes = try receive([strange, good], into: shelf, at: day(31))
    guard case .refused(let reason) = outcomes[0] else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(reason.contains("bundle id stranger") && outcomes[1] == .kept)
    #expect(try shelf.table("notifications").count == 1)
  }

  @Test func bothVersionsAtOnce() throws {
    let shelf = try Shelf()
    let both: [ReceivedNotification] = [
      .signed(
        makeSignedNotification(.subscribed, "INITIAL_BUY", id: 1, monthly("1", 0, 30), .make(), at: day(0))),
      .ofVersion1(makeNotification(.didRenew, monthly("1", 0, 30), monthly("2", 30, 60))),
    ]
    #expect(try shelf.store.receive(both, at: day(31)) == [.kept, .kept])
    #expect(try shelf.store.receive(both, at: day(32)) == [.replayed, .replayed])
    let types = try events(shelf, at: day(32)).compactMap(\.notificationType)
    #expect(Set(types) == [.subscribed, .didRenew] && types.count == 2)
  }
}
