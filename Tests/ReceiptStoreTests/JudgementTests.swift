import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// A line's judgements say at every instant what its verdict says.
@Suite struct JudgementTests {
  @Test(arguments: 0..<150)
  func tellWhatVerdictsTell(_ seed: UInt64) throws {
    let shelf = try Shelf()
    try shelf.live(World(seed: seed))
    for line in try shelf.store.population().lines {
      let judgements = line.judgements
      #expect(judgements.first?.from == line.rows.first?.purchase)
      #expect(judgements.last?.until == .distantFuture)
      for (one, next) in zip(judgements, judgements.dropFirst()) { #expect(one.until == next.from) }
      for judgement in judgements {
        let middle = judgement.from + min(judgement.until - judgement.from, 400.days) / 2
        for t in [judgement.from, middle, judgement.until - 1] {
          #expect(try Told(judgement) == Told(#require(line.verdict(at: t))), "\(line.id) at \(t.rawValue)")
        }
      }
    }
  }

  private struct Told: Equatable {
    var state: LineState
    var current: TransactionID
    var counted: TransactionID
    var renewal: RenewalInfo?
    var accessEnd: Instant
    var isChangePending: Bool

    init(_ judgement: Judgement) {
      (state, current, counted) = (judgement.state, judgement.current.id, judgement.countedRow.id)
      (renewal, accessEnd) = (judgement.renewal, judgement.accessEnd)
      isChangePending = judgement.isChangePending
    }

    init(_ verdict: Verdict) {
      (state, current, counted) = (verdict.state, verdict.current.id, verdict.countedRow.id)
      (renewal, accessEnd) = (verdict.renewal, verdict.accessUntil)
      isChangePending = verdict.changePending
    }
  }
}
