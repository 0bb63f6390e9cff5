import Subscriptions
import TestSupport
import Testing

/// The states of real answers at their own time follow from what the index says of their dates and flags.
@Suite("States", .enabled(if: Corpus.isPresent, "../shared/corpus is not beside the repository"))
struct StateTests {
  @Test(arguments: Specimen.all.filter { $0.answer?.requestDate != nil })
  func followFromTheIndex(_ specimen: Specimen) throws {
    let sight = Sight(try #require(specimen.answer))
    for verdict in sight.verdicts {
      let isRunning = verdict.state == .active || verdict.state == .trial
      #expect(isRunning == (sight.answer.now < verdict.accessUntil) || verdict.state == .revoked)
      #expect(verdict.state != .overdue, "the answer is newer than everything that it says has ended")
      #expect(!verdict.why.isEmpty)
      if verdict.state == .expired, let intent = verdict.expirationIntent {
        #expect(specimen.words.contains { $0.hasSuffix("expiration_intent \(intent.rawValue)") })
      }
      if verdict.state == .revoked {
        #expect(specimen.words.contains { $0.hasPrefix("REFUND") } || isInAppOnly(specimen))
      }
    }
  }

  private func isInAppOnly(_ specimen: Specimen) -> Bool {
    indexDifferences[specimen.file]?.added.contains { $0.hasPrefix("REFUND") } ?? false
  }

  /// The flag decides alone, whatever the intent, unless a refund comes before it; an answer without a date is judged a second after its newest expiry.
  @Test func ofBillingRetryAreTheFlaggedOnes() {
    var states: [String: [LineState]] = [:]
    for specimen in Specimen.all
    where specimen.words.contains(where: { $0.lowercased().hasSuffix("billing retry 1") }) {
      guard var answer = specimen.answer else { continue }
      let newest = answer.transactions.compactMap(\.expiresDate).max()
      answer.requestDate = answer.requestDate ?? newest.map { $0 + Milliseconds.second }
      states[specimen.file] = Sight(answer).verdicts.map(\.state)
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
