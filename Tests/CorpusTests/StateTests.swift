import Subscriptions
import TestSupport
import Testing

/// The states of real answers at their own time follow from their dates and flags.
@Suite("States", .enabled(if: Corpus.isPresent, "../shared/corpus is not beside the repository"))
struct StateTests {
  private static func verdicts(_ answer: Answer) -> [Verdict] {
    answer.lines().compactMap { $0.verdict(at: answer.now) }
  }

  @Test(arguments: Specimen.all.filter { $0.answer?.requestDate != nil })
  func followFromTheDates(_ specimen: Specimen) throws {
    let answer = try #require(specimen.answer)
    for verdict in Self.verdicts(answer) {
      let isRunning = verdict.state == .active || verdict.state == .trial
      #expect(isRunning == (answer.now < verdict.accessUntil) || verdict.state == .revoked)
      #expect(verdict.state != .overdue, "the answer is newer than everything that it says has ended")
      #expect(!verdict.why.isEmpty)
      if verdict.state == .expired, let intent = verdict.expirationIntent {
        #expect(specimen.words.contains { $0.hasSuffix("expiration_intent \(intent.rawValue)") })
      }
    }
  }

  /// What no reading makes an answer of: rows without an id or a date, and dates that Apple never wrote.
  @Test func fewFilesHoldNoAnswer() {
    #expect(Specimen.all.count > 100)
    let unreadable = Specimen.all.filter { if case .unreadable = $0.form { true } else { false } }
    #expect(unreadable.count == 10, "\(unreadable.map(\.file))")
  }

  /// The flag decides alone, whatever the intent, unless a refund comes before it; an answer without a date is judged a second after its newest expiry.
  @Test func ofBillingRetryAreTheFlaggedOnes() {
    var states: [String: [LineState]] = [:]
    for specimen in Specimen.all
    where specimen.words.contains(where: { $0.lowercased().hasSuffix("billing retry 1") }) {
      guard var answer = specimen.answer else { continue }
      let newest = answer.transactions.compactMap(\.expiresDate).max()
      answer.requestDate = answer.requestDate ?? newest.map { $0 + Milliseconds.second }
      states[specimen.file] = Self.verdicts(answer).map(\.state)
    }
    #expect(
      states == [
        // A row that reaches further was refunded.
        Specimen.airlytics("currently_trial2.json")?.file ?? "": [.revoked],
        // With expiration intent 1 beside the flag.
        "_excerpts/idx8889185673.21006-billing-retry.json": [.billingRetry],
        // Nothing of it but the renewal info.
        "_excerpts/store-receipt-validator-151.retry-without-intent.json": [],
      ])
  }
}
