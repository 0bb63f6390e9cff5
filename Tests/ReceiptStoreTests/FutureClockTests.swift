import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// An answer dated far ahead must not shut out the true ones after it.
@Suite struct FutureClockTests {
  private let refund = monthly("1", 0, 30) {
    $0.cancellationDate = day(8)
    $0.cancellationReason = "0"
  }

  @Test(arguments: [day(3650), day(7) + 1])
  func inASweep(_ lie: Instant) throws {
    let shelf = try Shelf()
    let receipt = try shelf.keep(someReceipt)
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
    #expect(summary.refused.first?.reason.contains("lies ahead") == true)
    #expect(try shelf.store.chains(matching: "1", at: day(9)).isEmpty, "all or none")
    _ = try shelf.store.add(answers, at: day(9), leavingOutRefused: true)
    #expect(try shelf.store.chains(matching: "1", at: day(9)).first?.lines.map(\.state) == [.revoked])
  }
}
