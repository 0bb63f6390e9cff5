import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct NotificationTests {
  struct DueCase: CustomTestStringConvertible {
    let type: NotificationType
    var isUnified = true
    let isDue: Bool
    var testDescription: String { "\(type)\(isUnified ? "" : " of an old body")" }
  }

  private static let sufficient: [NotificationType] = [
    .initialBuy, .didRenew, .renewal, .didRecover, .interactiveRenewal,
  ]
  private static let others: [NotificationType] = [
    .didChangeRenewalStatus, .didChangeRenewalPref, .didFailToRenew, .cancel, .refund, .revoke,
    .priceIncreaseConsent, .consumptionRequest, NotificationType("SOMETHING_OF_2031"),
  ]

  @Test(
    arguments: sufficient.map { DueCase(type: $0, isDue: false) }
      + others.map { DueCase(type: $0, isDue: true) }
      + (sufficient + others).map { DueCase(type: $0, isUnified: false, isDue: true) })
  func comesDueAtOnce(_ test: DueCase) throws {
    let shelf = try Shelf(makeAnswer(at: day(1), monthly("1", 0, 30)))
    let summary = try shelf.store.add(
      [makeNotification(test.type, monthly("1", 0, 30), isUnified: test.isUnified)], at: day(9))
    #expect(summary.changed == 1 && summary.items == 1 && summary.refused == [])
    #expect(summary.due == (test.isDue ? 1 : 0))
    #expect(try (shelf.dueInstants() == [day(9)]) == test.isDue)
    #expect(try shelf.store.count(of: .due, at: day(9)).free == (test.isDue ? 1 : 0))
    let kept = try #require(try shelf.store.evidenceLedger().lines.first)
    #expect(kept.rows.count == 1)
  }

  @Test func aReceiptThatIsOutOfTheQueueStaysOut() throws {
    let (shelf, id) = try Shelf.withReceipt()
    try shelf.take(makeAnswer(at: day(1), monthly("1", 0, 30)), for: id)
    try shelf.write("UPDATE receipts SET dead_reason = 'rejected', next_due_at_ms = NULL")
    let notification = makeNotification(.didChangeRenewalPref, infos: [])
    #expect(try shelf.store.add([notification], at: day(9)).due == 0)
    #expect(try shelf.dueInstants() == [nil])
  }

  @Test func aReplayChangesNothingAtAll() throws {
    let shelf = try Shelf(makeAnswer(at: day(1), monthly("1", 0, 30)))
    let notifications = [
      makeNotification(.didRenew, monthly("1", 0, 30), monthly("2", 30, 60)),
      makeNotification(.didChangeRenewalStatus, monthly("1", 0, 30), infos: [.make(autoRenew: false)]) {
        $0.autoRenewStatusChangeDate = day(8)
      },
      makeNotification(.consumptionRequest, chain: "5", infos: [], receipt: nil),
      makeNotification(.didFailToRenew, chain: "6", infos: [], receipt: "MIIX"),
      makeNotification(.refund, other("9", cancelled: 6), chain: "9", receipt: "MIIY", receivedAt: day(7)),
    ]
    let first = try shelf.store.add(notifications + notifications, at: day(31))
    #expect(first.items == 10 && first.changed == 5 && first.newTransactions == 2)
    try shelf.write("UPDATE receipts SET next_due_at_ms = 77")
    let before = try shelf.everyTable()
    #expect(before["notifications"]?.count == 5)
    for notification in notifications {
      let again = try shelf.store.add([notification], at: day(90))
      #expect(again.changed == 0 && again.newTransactions == 0 && again.due == 0)
    }
    #expect(try shelf.store.add(notifications.reversed(), at: day(91)).changed == 0)
    let after = try shelf.everyTable()
    for (table, rows) in before { #expect(after[table] == rows, "\(table)") }
  }

  @Test func theCarriedAnswerIsTakenAndTheEventIsKept() throws {
    let shelf = try Shelf(makeAnswer(at: day(1), monthly("1", 0, 30)))
    let notification = makeNotification(
      .didRenew, monthly("1", 0, 30), monthly("2", 30, 60), infos: [.make(next: "yearly")])
    let summary = try shelf.store.add([notification], at: day(31))
    #expect(summary.newTransactions == 1)
    let line = try #require(try shelf.store.evidenceLedger().lines.first)
    #expect(line.rows.map(\.id.rawValue) == ["1", "2"])
    #expect(line.renewals.last?.info.autoRenewProductID?.rawValue == "yearly")
    #expect(try shelf.store.chains(matching: "1", at: day(32)).first?.lines.first?.state == .active)
    #expect(
      try shelf.table("notifications").first?.contains("type=\"DID_RENEW\" transaction_id=\"2\"") == true)
    #expect(try shelf.table("receipts").count == 1)
  }

  // MARK: Receipts and users

  /// Chain 1 is known from the first notification, but its last period only from the second.
  @Test func chainsOfLaterNotificationsAreTaken() throws {
    let first = makeNotification(.didRenew, monthly("1", 0, 30), monthly("2", 30, 60), receipt: nil)
    let second = makeNotification(
      .initialBuy, monthly("1", 0, 30), monthly("2", 30, 60), monthly("3", 60, 90), other("9"), chain: "9",
      infos: [.make(autoRenew: false), .make(chain: "9")], receipt: nil)
    let (inOrder, reversed) = (try Shelf(), try Shelf())
    #expect(try inOrder.store.add([first, second], at: day(70)).changed == 2)
    #expect(try reversed.store.add([second, first], at: day(70)).changed == 2)
    let (lines, others) = (
      try inOrder.store.evidenceLedger().lines, try reversed.store.evidenceLedger().lines
    )
    #expect(lines.map(\.rows.count).sorted() == [1, 3])
    #expect(Dictionary(grouping: lines, by: \.id) == Dictionary(grouping: others, by: \.id))
  }

  /// An older answer must not postpone the request that a newer notification caused.
  @Test(arguments: [true, false]) func anOlderAnswerLeavesItDue(_ isFirst: Bool) throws {
    let shelf = try Shelf()
    let answer = ImportedAnswer(
      answer: makeAnswer(at: day(1), monthly("1", 0, 30)), status: 0, observedAt: day(1))
    if isFirst { _ = try shelf.store.add([answer], at: day(9)) }
    let notification = makeNotification(.didChangeRenewalStatus, monthly("1", 0, 30), shows: ["1"]) {
      $0.autoRenewStatusChangeDate = day(8)
    }
    _ = try shelf.store.add([notification], at: day(9))
    if !isFirst { _ = try shelf.store.add([answer], at: day(9)) }
    #expect(try shelf.dueInstants() == [day(9)])
  }

  @Test func aNotificationOfAnUnknownChainAddsItsReceipt() throws {
    let shelf = try Shelf()
    let notification = makeNotification(
      .initialBuy, monthly("1", 0, 30), receipt: "MIINEW", user: "u7", shows: ["1"])
    #expect(try shelf.store.add([notification], at: day(1)).newTransactions == 1)
    let receipts = try shelf.claim(.all, at: day(1))
    #expect(receipts.map(\.data?.base64) == ["MIINEW"])
    #expect(try shelf.store.chains(matching: "u7", at: day(1)).count == 1)
  }

  @Test func anOldBodyWithoutATransactionBringsItsReceiptToo() throws {
    let shelf = try Shelf()
    let notification = makeNotification(
      .didFailToRenew, infos: [.make()], receipt: "MIINEW", shows: ["1"])
    let summary = try shelf.store.add([notification], at: day(1))
    #expect(summary.due == 1)
    #expect(try shelf.dueInstants() == [day(1)])
    #expect(try shelf.table("receipt_chains").count == 1)
    #expect(try shelf.table("chains").allSatisfy { $0.contains("validated_at_ms=NULL") })
    #expect(try shelf.table("renewal_infos") == [])
  }

  @Test func withoutAnyReceiptItIsKeptWithItsChain() throws {
    let shelf = try Shelf()
    let summary = try shelf.store.add([makeNotification(.cancel, infos: [], receipt: nil)], at: day(1))
    #expect(summary.changed == 1 && summary.due == 0)
    #expect(try shelf.table("notifications").count == 1)
    #expect(try shelf.table("chains").count == 1 && shelf.table("receipts") == [])
  }

  @Test func theReceiptOfOneTransactionReplacesNone() throws {
    let shelf = try Shelf(makeAnswer(at: day(1), monthly("1", 0, 30)))
    _ = try shelf.store.add(
      [makeNotification(.renewal, monthly("1", 0, 30), receipt: "ewold", isUnified: false)], at: day(2))
    let held = try shelf.claim(.all, at: day(1))
    #expect(held.map(\.data?.base64) == ["MIIB"])
    _ = try shelf.store.add(
      [makeNotification(.didRenew, monthly("2", 30, 60), receipt: "MIINEW")], at: day(31))
    let renewed = try shelf.claim(.all, at: day(31))
    #expect(renewed.map(\.data?.base64) == ["MIIB"], "the receipt as it was imported stays")
  }

  @Test(arguments: [true, false])
  func forAnotherAppItIsRefused(_ hasRows: Bool) throws {
    let shelf = try Shelf(makeAnswer(at: day(1), monthly("1", 0, 30)))
    let before = try shelf.everyTable()
    let strange =
      hasRows
      ? makeNotification(.didRenew, monthly("2", 30, 60), bundle: "stranger")
      : makeNotification(.cancel, infos: [], bundle: "stranger")
    let good = makeNotification(.didRenew, monthly("3", 30, 60))
    let refusal = try shelf.store.add([good, strange], at: day(31))
    #expect(refusal.refused.map(\.index) == [1])
    #expect(refusal.refused.first?.reason.contains("bundle id stranger") == true)
    #expect(try shelf.everyTable() == before)
    let rest = try shelf.store.add([strange, good], at: day(31), leavingOutRefused: true)
    #expect(rest.refused.map(\.index) == [0] && rest.changed == 1)
    #expect(try shelf.table("notifications").count == 1)
  }

  @Test func twoAppsAreKeptApart() throws {
    let shelf = try Shelf()
    let summary = try shelf.store.add(
      [
        makeNotification(.initialBuy, monthly("1", 0, 30), bundle: "one", receipt: "MIIONE"),
        makeNotification(.initialBuy, other("9"), chain: "9", bundle: "two", receipt: "MIITWO"),
      ], at: day(1))
    #expect(summary.changed == 2 && summary.refused == [])
    #expect(
      try shelf.raw { try String.fetchSet($0, sql: "SELECT bundle_id FROM receipts") } == ["one", "two"])
  }

  struct MixedCase: CustomTestStringConvertible {
    let testDescription: String
    var subject = "1"
    /// Chains in the notification's receipt.
    var shows: [String] = []
    /// Chains that the user holds afterwards.
    var gains: [String] = ["1"]
    var isDue = true
  }

  /// Notifications for a user who already holds chain 1, while chain 9 is new.
  @Test(arguments: [
    MixedCase(testDescription: "a receipt that shows nothing"),
    MixedCase(testDescription: "a stranger's receipt", shows: ["9"]),
    MixedCase(
      testDescription: "a newer receipt of the same customer", shows: ["1", "9"], gains: ["1", "9"],
      isDue: false),
    MixedCase(testDescription: "about the other chain", subject: "9"),
    MixedCase(
      testDescription: "about the other chain, with a stranger's receipt", subject: "9", shows: ["9"]),
    MixedCase(
      testDescription: "about a new chain of the same customer", subject: "9", shows: ["1", "9"],
      gains: ["1", "9"], isDue: false),
  ])
  func noUserGetsAnotherCustomersChain(_ test: MixedCase) throws {
    let shelf = try Shelf(makeAnswer(at: day(1), monthly("1", 0, 30)))
    let notification = makeNotification(
      .didRenew, monthly("1", 0, 30), monthly("2", 30, 60), other("9"), chain: test.subject, infos: [],
      shows: test.shows)
    #expect(try shelf.store.add([notification], at: day(31)).changed == 1)
    let gained = try shelf.store.chains(matching: "u", at: day(31)).map(\.originalTransactionId.rawValue)
    #expect(gained.sorted() == test.gains)
    #expect(try shelf.store.chains(matching: "2", at: day(31)).count == 1, "its own renewal is taken")
    #expect(
      try shelf.dueInstants().contains(day(31)) == test.isDue,
      "a sweep determines the owner of the other chains")
  }

  @Test func twoCustomersInOneGoToTheOneItIsAbout() throws {
    let shelf = try Shelf(makeAnswer(at: day(1), monthly("1", 0, 30)))
    let second = ImportedReceipt(data: ReceiptData(trusted: "MIIC"), appUserID: AppUserID("v"))
    try shelf.take(makeAnswer(at: day(1), other("9")), for: try shelf.keep(second))
    let notification = makeNotification(
      .didRenew, monthly("1", 0, 30), other("9"), chain: "9", infos: [], receipt: "MIIX")
    _ = try shelf.store.add([notification], at: day(31))
    for (user, chain) in [("u", "1"), ("v", "9")] {
      let held = try shelf.store.chains(matching: user, at: day(31)).map(\.originalTransactionId.rawValue)
      #expect(held == [chain])
    }
  }

  /// Keeping the receipt would send another customer's receipt for this user in the next sweep.
  @Test(arguments: [(["9"], 0), (["1"], 1), ([], 0)])
  func anotherCustomersReceiptIsNotSentForTheUser(_ shows: [String], _ sendable: Int) throws {
    let shelf = try Shelf()
    let answer = ImportedAnswer(
      answer: makeAnswer(at: day(1), monthly("1", 0, 30)), status: 0, appUserID: AppUserID("u"),
      observedAt: day(1))
    _ = try shelf.store.add([answer], at: day(1))
    let notification = makeNotification(.didRenew, monthly("1", 0, 30), infos: [], shows: shows)
    _ = try shelf.store.add([notification], at: day(2))
    #expect(try shelf.table("receipt_contents").count == sendable)
  }

  /// An unreadable receipt would replace the right one and be sent forever.
  @Test(arguments: [true, false])
  func anUnreadableReceiptIsNotKept(_ isKnown: Bool) throws {
    let shelf = try Shelf()
    if isKnown {
      let answer = makeAnswer(at: day(1), monthly("1", 0, 30))
      _ = try shelf.store.add(
        [ImportedAnswer(answer: answer, status: 0, appUserID: AppUserID("u"), observedAt: day(1))], at: day(1)
      )
    }
    let unreadable = makeNotification(.didRenew, monthly("1", 0, 30), infos: [], receipt: "MIIX")
    #expect(try shelf.store.add([unreadable], at: day(2)).changed == 1)
    #expect(try shelf.table("receipt_contents").isEmpty)
    let readable = makeNotification(
      .didRenew, monthly("2", 30, 60), infos: [], receipt: "MIIB", shows: ["1"])
    #expect(try shelf.store.add([readable], at: day(31)).changed == 1)
    #expect(try shelf.table("receipt_contents").count == 1, "the right one is kept when it comes")
    #expect(try shelf.table("receipts").count == 1)
  }

  private func other(_ id: String, cancelled: Int? = nil) -> Transaction {
    monthly(id, 0, 30) {
      $0.originalTransactionID = OriginalTransactionID(id)
      $0.cancellationDate = cancelled.map { day($0) }
    }
  }
}
