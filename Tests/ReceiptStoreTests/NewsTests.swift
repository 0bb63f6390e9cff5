import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct NewsTests {
  struct Change: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var answer: Answer
    var isPartial = false
    var outcome: RecordedOutcome
  }

  private static func news(
    _ new: Int, renewals: Int = 0, refunds: Int = 0, states: Int = 0
  ) -> RecordedOutcome {
    .changed(
      AnswerNews(newTransactions: new, renewals: renewals, refunds: refunds, stateChanges: states))
  }

  private static let (first, second) = (monthly("1", 0, 30), monthly("2", 30, 60))
  private static let refunded = monthly("2", 30, 60) {
    $0.cancellationDate = day(36)
    $0.cancellationReason = "0"
  }

  static let life = [
    Change(testDescription: "a first answer", answer: makeAnswer(at: day(1), first), outcome: news(1)),
    Change(testDescription: "the same again", answer: makeAnswer(at: day(2), first), outcome: .unchanged),
    Change(
      testDescription: "the same, asked for in part", answer: makeAnswer(at: day(3), first), isPartial: true,
      outcome: .unchanged),
    Change(
      testDescription: "in full again", answer: makeAnswer(at: day(4), first), outcome: .unchanged),
    Change(
      testDescription: "a lapse", answer: makeAnswer(at: day(31), first, infos: [.make(retry: true)]),
      outcome: news(0, states: 1)),
    Change(
      testDescription: "a renewal", answer: makeAnswer(at: day(35), second), isPartial: true,
      outcome: news(1, renewals: 1, states: 1)),
    Change(
      testDescription: "the whole history", answer: makeAnswer(at: day(36), first, second),
      outcome: .unchanged),
    Change(
      testDescription: "a refund", answer: makeAnswer(at: day(37), first, refunded),
      outcome: news(0, refunds: 1, states: 1)),
    Change(
      testDescription: "the refund once more", answer: makeAnswer(at: day(38), refunded), isPartial: true,
      outcome: .unchanged),
  ]

  @Test func aLife() throws {
    let (shelf, id) = try Shelf.withReceipt()
    for change in Self.life {
      let outcome = try shelf.take(change.answer, for: id, isPartial: change.isPartial)
      #expect(outcome == change.outcome, "\(change.testDescription)")
    }
  }

  /// A late older answer moves a renewal's observation time back, which is no news.
  @Test func anEarlierObservationIsNotNews() throws {
    let (shelf, id) = try Shelf.withReceipt()
    try shelf.take(makeAnswer(at: day(40), Self.first, Self.second), for: id)
    let outcome = try shelf.take(makeAnswer(at: day(35), Self.first, Self.second), for: id, at: day(41))
    #expect(outcome == .changed(AnswerNews()))
  }
}
