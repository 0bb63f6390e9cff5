import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Version 1 notifications do not contain their time.
@Suite struct NotificationClockTests {
  /// Store that observed a renewal on day 31 and its refund on day 40.
  private func shelf() throws -> Shelf {
    let (shelf, id) = try Shelf.withReceipt()
    try shelf.take(
      makeAnswer(at: day(31), monthly("1", 0, 30), monthly("2", 30, 60), infos: [.make()]), for: id)
    try shelf.take(
      makeAnswer(at: day(40), monthly("1", 0, 30), refunded, infos: [.make(autoRenew: false)]), for: id)
    return shelf
  }

  private let refunded = monthly("2", 30, 60) { $0.cancellationDate = day(39) }

  struct Case: CustomTestStringConvertible {
    let name: String
    let notification: ImportedNotification
    /// Day of observation if the body is imported on day 50; `live` is the day if it is received then.
    let observed: Int
    let live: Int
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(
      name: "what has no date of its own",
      notification: makeNotification(
        .didRenew, monthly("1", 0, 30), monthly("2", 30, 60) { $0.cancellationDate = day(39) },
        monthly("3", 45, 75)), observed: 45, live: 50),
    Case(
      name: "a purchase before the last one",
      notification: makeNotification(.initialBuy, monthly("1", 0, 30)), observed: 0, live: 0),
    Case(
      name: "a refund that it does not know",
      notification: makeNotification(.didRenew, monthly("1", 0, 30), monthly("2", 30, 60)), observed: 30,
      live: 50),
    Case(
      name: "a failed renewal is not before the expiry",
      notification: makeNotification(
        .didFailToRenew, monthly("1", 0, 30), infos: [.make(intent: .billingError, retry: true)]),
      observed: 30, live: 30),
    Case(
      name: "a switch that was taken back before the last validation",
      notification: makeNotification(
        .didChangeRenewalStatus, monthly("2", 30, 60) { $0.cancellationDate = day(39) }, infos: [.make()]
      ) { $0.autoRenewStatusChangeDate = day(35) }, observed: 39, live: 50),
    Case(
      name: "a switch after the last validation",
      notification: makeNotification(
        .didChangeRenewalStatus, monthly("2", 30, 60) { $0.cancellationDate = day(39) }, infos: [.make()]
      ) { $0.autoRenewStatusChangeDate = day(41) }, observed: 41, live: 50),
    Case(
      name: "a purchase whose period is over",
      notification: makeNotification(.didRenew, monthly("3", 45, 49), infos: [.make(autoRenew: false)]),
      observed: 45, live: 45),
    Case(
      name: "a change of product before the end of a period that is over",
      notification: makeNotification(.didChangeRenewalPref, monthly("3", 45, 49)), observed: 45, live: 45),
    Case(
      name: "a change of product while Apple tries to bill",
      notification: makeNotification(
        .didChangeRenewalPref, monthly("3", 45, 49), infos: [.make(retry: true)]),
      observed: 49, live: 50),
    Case(
      name: "without a transaction",
      notification: makeNotification(.didChangeRenewalPref, infos: []), observed: 50, live: 50),
    Case(
      name: "a clock of its own",
      notification: makeNotification(.initialBuy, monthly("1", 0, 30), receivedAt: day(20)),
      observed: 20, live: 20),
  ])
  func isObserved(_ test: Case) throws {
    let (imported, received) = (try shelf(), try shelf())
    _ = try imported.store.add([test.notification], at: day(50))
    #expect(try imported.notificationInstants() == [day(test.observed)])
    _ = try received.store.receive([.ofVersion1(test.notification)], at: day(50))
    #expect(try received.notificationInstants() == [day(test.live)])
  }

  @Test(arguments: [NotificationType.didRenew, .cancel, .didChangeRenewalStatus])
  func takesNoRefundBack(_ type: NotificationType) throws {
    let shelf = try shelf()
    for (id, rows) in [("a", [monthly("2", 30, 60)]), ("b", [monthly("2", 30, 60), monthly("3", 60, 90)])] {
      var notification = makeNotification(type, id: id, infos: [.make(autoRenew: true)])
      notification.answer.transactions = rows
      notification.answer.lagging = Set(rows.map(\.transactionID))
      _ = try shelf.store.add([notification], at: day(61))
    }
    let row = try shelf.store.evidenceLedger().lines.first?.rows.first { $0.id.rawValue == "2" }
    #expect(row?.transaction.cancellationDate == day(39))
  }

  @Test func anOldBodyLeavesTheNewestRenewalInfo() throws {
    let shelf = try shelf()
    _ = try shelf.store.add(
      [makeNotification(.didRenew, monthly("1", 0, 30), monthly("2", 30, 60), infos: [.make()])], at: day(50))
    let renewals = try #require(try shelf.store.evidenceLedger().lines.first).renewals
    #expect(renewals.last?.info.autoRenewStatus == false)
    let validated = try shelf.raw { try Int64.fetchOne($0, sql: "SELECT validated_at_ms FROM chains") }
    #expect(validated == day(40).rawValue)
  }

  /// Events after an archive's last notification are unknown, so the line must be validated.
  @Test func anArchiveEndsOverdueAndDue() throws {
    let shelf = try Shelf()
    _ = try shelf.store.add(
      [makeNotification(.initialBuy, monthly("1", 0, 30), infos: [.make()], shows: ["1"])], at: day(400))
    #expect(try shelf.store.chains(matching: "1", at: day(400)).first?.lines.first?.state == .overdue)
    #expect(try shelf.store.count(of: .due, at: day(401)).free == 1)
  }

  /// Notifications of a chain over half a year, in random order.
  @Test(arguments: seeds(30, sanitized: 5))
  func theOrderOfLinesDoesNotMatter(_ seed: UInt64) throws {
    var random = Seeded(seed)
    let rows = (0..<6).map { monthly("\($0 + 1)", $0 * 30, $0 * 30 + 30) }
    var notifications = rows.indices.map { index in
      makeNotification(index == 0 ? .initialBuy : .didRenew, id: "\(index)", infos: [.make(next: "\(index)")])
    }
    for index in rows.indices {
      notifications[index].answer.transactions = Array(rows[...index])
      notifications[index].answer.lagging = Set(rows[...index].map(\.transactionID))
      if random.chance(20) { notifications[index].observedAt = rows[index].purchaseDate + 5.hours }
    }
    notifications.append(
      makeNotification(.didChangeRenewalStatus, rows[4], infos: [.make(autoRenew: false)]) {
        $0.autoRenewStatusChangeDate = day(130)
      })
    notifications.append(
      makeNotification(.didChangeRenewalStatus, rows[4], infos: [.make(autoRenew: true)]) {
        $0.autoRenewStatusChangeDate = day(131)
      })
    notifications.append(makeNotification(.didChangeRenewalPref, infos: []))
    let straight = try Shelf()
    _ = try straight.store.add(notifications, at: day(200))
    notifications.shuffle(using: &random)
    let shuffled = try Shelf()
    _ = try shuffled.store.add(notifications, at: day(200))
    for table in ["transactions", "renewal_infos", "notifications", "chains", "receipts", "events"] {
      #expect(
        try straight.table(table, without: ["id", "transaction_row"])
          == shuffled.table(table, without: ["id", "transaction_row"]), "\(table)")
    }
    #expect(try straight.store.evidenceLedger().lines == shuffled.store.evidenceLedger().lines)
    let instants = try straight.notificationInstants()
    #expect(instants.first.map { $0 < day(1) } == true && instants.last == day(200))
    let renewals = try #require(try straight.store.evidenceLedger().lines.first).renewals
    #expect(renewals.last?.info.autoRenewProductID?.rawValue == "5")
  }

  @Test func aSwitchIsDatedByApple() throws {
    let shelf = try Shelf(makeAnswer(at: day(1), monthly("1", 0, 30), infos: [.make()]))
    let notification = makeNotification(
      .didChangeRenewalStatus, monthly("1", 0, 30), infos: [.make(autoRenew: false)]
    ) { $0.autoRenewStatusChangeDate = day(8) }
    _ = try shelf.store.receive([.ofVersion1(notification)], at: day(9))
    func cancellations(at t: Instant) throws -> [LineEvent] {
      let chain = try #require(try shelf.store.chains(matching: "1", at: t, asKnownThen: true).first)
      return chain.lines.flatMap(\.events).filter { $0.type == .cancellation }
    }
    let event = try #require(try cancellations(at: day(9)).first)
    #expect(event.effectiveAt == day(8) && event.isExact && event.notifiedAt == day(9))
    #expect(event.notificationType == .didChangeRenewalStatus)
    #expect(try cancellations(at: day(8)) == [])
    #expect(try shelf.table("events").filter { $0.contains("CANCELLATION") }.count == 1)
  }
}
