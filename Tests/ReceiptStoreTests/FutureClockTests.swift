import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// An answer dated in the future must not exclude later correct ones.
@Suite struct FutureClockTests {
  private let refund = monthly("1", 0, 30) {
    $0.cancellationDate = day(8)
    $0.cancellationReason = "0"
  }

  @Test(arguments: [day(3650), day(7) + 1])
  func inASweep(_ lie: Instant) throws {
    let (shelf, receipt) = try Shelf.withReceipt()
    try shelf.take(makeAnswer(at: lie, monthly("1", 0, 30)), for: receipt, at: day(6))
    try shelf.take(makeAnswer(at: day(9), refund), for: receipt, at: day(9))
    let line = try #require(try shelf.store.chains(matching: "1", at: day(9)).first?.lines.first)
    #expect(line.state == .revoked)
    #expect(try shelf.store.status(at: day(9)).fresh24h == nil)
  }

  @Test func inAnImport() throws {
    let shelf = try Shelf()
    let answers = [day(3650), day(9)].map { ImportedAnswer(answer: makeAnswer(at: $0, refund), status: 0) }
    let summary = try shelf.store.add(answers, at: day(9))
    #expect(summary.refused.map(\.index) == [0])
    #expect(summary.refused.first?.reason.contains("in the future") == true)
    #expect(try shelf.store.chains(matching: "1", at: day(9)).isEmpty, "all or none")
    _ = try shelf.store.add(answers, at: day(9), leavingOutRefused: true)
    #expect(try shelf.store.chains(matching: "1", at: day(9)).first?.lines.map(\.state) == [.revoked])
  }

  private func notification(_ number: Int, at t: Instant) -> SignedNotification {
    let chain = "\(number)"
    var row = Transaction.make(chain, chain: chain, purchase: day(0), expires: day(30))
    row.terms = SignedTerms(signedAt: t)
    let signed = ImportedAnswer(
      answer: makeAnswer(at: t, row), status: 0, observedAt: t,
      signed: SignedText(header: "header", payload: chain, signature: "signature"))
    let facts = ServerNotification(
      type: .didRenew, environment: .production, originalTransactionID: OriginalTransactionID(chain),
      observedAt: t)
    return SignedNotification(
      uuid: SignedNotificationFields.uuid(number), type: .didRenew, signedAt: t, environment: .production,
      bundleID: BundleID("app"), facts: facts, rows: [signed])
  }

  private static let clockIsBehind =
    "Apple signed it 2 days ahead of this machine's clock; correct the clock and try again"

  /// Signed data is trusted, so a notification from the future is refused only until our clock reaches it.
  @Test func aNotificationAheadIsTakenOnceTheClockIsRight() throws {
    let shelf = try Shelf()
    let received = [notification(1, at: day(9)), notification(2, at: day(8))].map(ReceivedNotification.signed)
    #expect(
      try shelf.store.receive(received, at: day(7)) == [.early(Self.clockIsBehind), .kept])
    #expect(try shelf.store.chains(matching: "1", at: day(9)).isEmpty)
    #expect(try shelf.store.receive(received, at: day(9)) == [.kept, .replayed])
  }

  @Test func inTheInboxItStays() throws {
    let shelf = try Shelf()
    let received = [notification(1, at: day(9)), notification(2, at: day(8))]
    _ = try shelf.store.keep(
      bodies: received.map { ($0.uuid, $0.digest, Array("\($0.uuid)".utf8)) }, at: day(7))
    let entries = zip(try shelf.store.inbox(atMost: 9), received).map {
      ($0.id, ReceivedNotification.signed($1))
    }
    #expect(
      try shelf.store.take(inbox: entries, at: day(7)) == [.early(Self.clockIsBehind), .kept])
    #expect(try shelf.store.inbox(atMost: 9).map(\.id) == [entries[0].0])
    #expect(try shelf.store.take(inbox: [entries[0]], at: day(9)) == [.kept])
    #expect(try shelf.store.inboxCount() == 0)
  }

  @Test func importsReportThatTheClockIsBehind() throws {
    let shelf = try Shelf()
    let ahead = notification(1, at: day(9))
    let notifications = try shelf.store.add([.signed(ahead)], at: day(7))
    let rows = try shelf.store.add(ahead.rows, at: day(7))
    #expect(notifications.refused.map(\.reason) == [Self.clockIsBehind])
    #expect(rows.refused.map(\.reason) == [Self.clockIsBehind])
    #expect(try shelf.store.add(ahead.rows, at: day(8)).refused.isEmpty)
  }
}
