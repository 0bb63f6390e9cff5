import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct NotificationFeedTests {
  private func shelf() throws -> Shelf {
    let shelf = try Shelf()
    let id = try shelf.keep(someReceipt)
    try shelf.take(makeAnswer(at: day(1), monthly("1", 0, 30), infos: [.make()]), for: id)
    return shelf
  }

  private func events(_ shelf: Shelf, at t: Instant) throws -> [LineEvent] {
    let chain = try #require(try shelf.store.chains(matching: "1", at: t, asKnownThen: true).first)
    return chain.lines.flatMap(\.events)
  }

  @Test func aSwitchIsDatedByApple() throws {
    let shelf = try shelf()
    let notification = makeNotification(
      .didChangeRenewalStatus, monthly("1", 0, 30), infos: [.make(autoRenew: false)]
    ) { $0.autoRenewStatusChangeDate = day(8) }
    _ = try shelf.store.receive([.ofVersion1(notification)], at: day(9))
    let told = try events(shelf, at: day(9)).filter { $0.type == .cancellation }
    #expect(told.map(\.effectiveAt) == [day(8)] && told.map(\.isExact) == [true])
    #expect(told.map(\.notificationType) == [.didChangeRenewalStatus] && told.map(\.notifiedAt) == [day(9)])
    #expect(try events(shelf, at: day(8)).filter { $0.type == .cancellation } == [])
    #expect(try shelf.table("events").filter { $0.contains("CANCELLATION") }.count == 1)
  }

  @Test func aRenewalIsReportedOnce() throws {
    let shelf = try shelf()
    _ = try shelf.store.add(
      [makeNotification(.didRenew, monthly("1", 0, 30), monthly("2", 30, 60))], at: day(31))
    let told = try events(shelf, at: day(31)).filter { $0.type == .renewal }
    #expect(told.map(\.transactionID?.rawValue) == ["2"] && told.map(\.notificationType) == [.didRenew])
  }

  @Test func otherNotificationTypesAreEvents() throws {
    let shelf = try shelf()
    let types: [NotificationType] = [.consumptionRequest, NotificationType("SOMETHING_OF_2031")]
    _ = try shelf.store.receive(
      types.map { .ofVersion1(makeNotification($0, monthly("1", 0, 30))) }, at: day(9))
    let told = try events(shelf, at: day(9)).filter { $0.effectiveAt == day(9) }
    #expect(Set(told.map(\.type.rawValue)) == Set(types.map(\.rawValue)))
    #expect(told.allSatisfy { $0.transactionID?.rawValue == "1" })
  }

  /// Stored events must equal those derived from the lines.
  @Test func theStoredFeedIsTheLinesOwn() throws {
    let shelf = try shelf()
    let types: [NotificationType] = [
      .didChangeRenewalPref, .didFailToRenew, .priceIncreaseConsent, .consumptionRequest, .revoke, .refund,
      .cancel, .interactiveRenewal, .didRenew, .didRecover, .initialBuy, .didChangeRenewalStatus,
    ]
    _ = try shelf.store.add(
      types.map { makeNotification($0, monthly("1", 0, 30), infos: [.make(next: "yearly")]) }, at: day(9))
    let question = Question(panel: .events, at: day(10), windowDays: 30, environment: .all)
    #expect(
      differences(try shelf.store.report(question), try shelf.store.evidenceLedger().report(question)) == [])
  }
}
