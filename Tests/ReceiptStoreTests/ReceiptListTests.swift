import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct ReceiptListTests {
  /// Nine receipts: three due at different times, two failing, one dead, one in progress, and two due later.
  private func shelf() throws -> (Shelf, SweepID) {
    let shelf = try Shelf()
    let all = (0..<9).map {
      ImportedReceipt(
        data: ReceiptData(trusted: "MII\($0)"), appUserID: AppUserID("user-\($0)"), bundleID: nil)
    }
    _ = try shelf.store.add(all, at: day(0))
    let sweep = try shelf.store.beginSweep(.all, by: "test", at: day(1))
    func outcome(_ id: Int64, _ result: ReceiptOutcome.Result) -> ReceiptOutcome {
      ReceiptOutcome(receipt: ReceiptID(rawValue: id), result: result)
    }
    func later(
      _ status: Int?, _ reason: String, _ due: Instant, _ rule: DuePolicy.Rule = .failed
    )
      -> ReceiptOutcome.Result
    {
      .retryLater(status: status, reason: reason, nextDue: due, rule: rule)
    }
    _ = try shelf.store.claim(
      .all, for: sweep, started: day(1), after: nil, limit: 9, lease: Milliseconds.minute, at: day(1))
    _ = try shelf.store.record(
      [
        outcome(4, later(21005, "busy", day(1) + 5 * Milliseconds.hour)),
        outcome(5, later(nil, "HTTP 503", day(1) + 30 * Milliseconds.hour)),
        outcome(6, .rejected(status: 21003, reason: "not authentic")),
        outcome(7, later(nil, "too long", day(9), .tooLong)),
      ], of: sweep, at: day(1))
    try shelf.store.release([1, 2, 3, 9].map(ReceiptID.init), of: sweep)
    return (shelf, sweep)
  }

  struct Asked: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let question: @Sendable (SweepID) -> ReceiptQuestion
    let ids: Set<Int64>

    init(_ name: String, _ ids: Set<Int64>, _ question: @escaping @Sendable (SweepID) -> ReceiptQuestion) {
      (testDescription, self.ids, self.question) = (name, ids, question)
    }
  }

  @Test(arguments: [
    Asked("due", [1, 2, 3, 8, 9]) { _ in .due() },
    Asked("due for an hour and less than a day", []) { _ in
      .due(from: Milliseconds.hour, until: Milliseconds.day)
    },
    Asked("due for a day", [1, 2, 3, 8, 9]) { _ in .due(from: Milliseconds.day) },
    Asked("due within 24 h", [4]) { _ in .dueSoon }, Asked("due later", [5, 7]) { _ in .dueLater },
    Asked("failed", [4, 5, 7]) { _ in .failed(nil) },
    Asked("failed of one reason", [5]) { _ in .failed("HTTP 503") },
    Asked("failed of what is set aside", []) { _ in .failed("too long") },
    Asked("set aside", [7]) { _ in .setAside("too long") }, Asked("given up", [6]) { _ in .dead(nil) },
    Asked("given up of one reason", [6]) { _ in .dead("not authentic") },
    Asked("given up of another reason", []) { _ in .dead("busy") },
    Asked("in progress", [8]) { _ in .inProgress }, Asked("of a status", [6]) { _ in .status(21003) },
    Asked("of a status since later", []) { _ in .status(21003, since: day(2)) },
    Asked("of a sweep", [4, 5, 6, 7]) { .ofSweep($0) },
    Asked("of no sweep", []) { .ofSweep(SweepID(rawValue: $0.rawValue + 1)) },
  ])
  func answers(_ asked: Asked) throws {
    let (shelf, sweep) = try shelf()
    let (question, now) = (asked.question(sweep), day(1) + 1)
    let lines = try shelf.store.receipts(question, limit: 100, at: now)
    #expect(Set(lines.rows.map(\.id.rawValue)) == asked.ids && lines.count == asked.ids.count)
    #expect(Set(try shelf.store.receiptIDs(question, at: now).map(\.rawValue)) == asked.ids)
    #expect(try shelf.store.receipts(question, limit: 1, at: now).rows.count == min(1, asked.ids.count))
    #expect(lines.rows.allSatisfy { $0.appUserID == AppUserID("user-\($0.id.rawValue - 1)") })
  }

  @Test func aCustomerWithoutASubscriptionHasAnID() throws {
    let shelf = try Shelf()
    let id = CustomerID("2000000000000001")
    _ = try shelf.store.add([ImportedReceipt(.customer(id), bundleID: BundleID("app"))], at: day(0))
    let line = try #require(try shelf.store.receipts(.due(), limit: 9, at: day(1)).rows.first)
    #expect(line.customer == id && line.chain == nil)
  }

  @Test func everyCountIsItsReceipts() throws {
    let shelf = try Shelf()
    let world = World(seed: 4)
    try shelf.live(world)
    let now = day(0)
    let queue = try shelf.store.queue(at: now)
    func count(_ question: ReceiptQuestion) throws -> Int {
      try shelf.store.receipts(question, limit: 10_000, at: now).rows.count
    }
    #expect(try count(.due()) == queue.due)
    for (index, bucket) in queue.overdueByAge.enumerated() {
      let next = queue.overdueByAge.dropFirst(index + 1).first?.fromMs
      #expect(try count(.due(from: bucket.fromMs, until: next)) == bucket.count)
    }
    #expect(try count(.failed(nil)) == queue.retrying && count(.dead(nil)) == queue.deadCount)
    for reason in queue.dead { #expect(try count(.dead(reason.reason)) == reason.count) }
    for reason in queue.failures { #expect(try count(.failed(reason.reason)) == reason.count) }
    for tally in queue.statuses { #expect(try count(.status(tally.status)) == tally.count) }
    #expect(try count(.dueSoon) == queue.next24h.reduce(0, +) && count(.dueLater) == queue.later)
    let known = try shelf.store.receipts(.status(0), limit: 10_000, at: now).rows.filter { $0.chain != nil }
    for line in known {
      let chains = try shelf.store.chains(of: line.id, at: now)
      #expect(chains.count == line.otherChains + 1)
      #expect(chains.contains { $0.originalTransactionId == line.chain })
      #expect(
        try shelf.store.receiptIDs(holding: [line.chain ?? OriginalTransactionID("")]).contains(line.id))
    }
  }

  @Test func limitsTheReceiptsKeptPerSweep() throws {
    let shelf = try Shelf()
    let all = (0..<1100).map { ImportedReceipt(data: ReceiptData(trusted: "MII\($0)")) }
    _ = try shelf.store.add(all, at: day(0))
    let sweep = try shelf.store.beginSweep(.all, by: "test", at: day(1))
    _ = try shelf.store.claim(
      .all, for: sweep, started: day(1), after: nil, limit: 1100, lease: Milliseconds.minute, at: day(1))
    for start in stride(from: 1, through: 1100, by: 100) {
      let batch = (start..<start + 100).map {
        ReceiptOutcome(
          receipt: ReceiptID(rawValue: Int64($0)),
          result: .retryLater(status: nil, reason: "busy", nextDue: day(2)))
      }
      _ = try shelf.store.record(batch, of: sweep, at: day(1))
    }
    #expect(try shelf.store.receipts(.ofSweep(sweep), limit: 2000, at: day(1)).count == 1000)
    for _ in 0..<50 { _ = try shelf.store.beginSweep(.due, by: "test", at: day(2)) }
    #expect(try shelf.store.receipts(.ofSweep(sweep), limit: 2000, at: day(2)).count == 0, "50 sweeps ago")
  }

  @Test func sweepsAreEstimatedByTheLastOnes() throws {
    let shelf = try Shelf()
    let all = (0..<30).map { ImportedReceipt(data: ReceiptData(trusted: "MII\($0)")) }
    _ = try shelf.store.add(all, at: day(0))
    #expect(try shelf.store.estimate(of: .all, at: day(1)) == SweepEstimate(free: 30))
    for (starter, seconds) in [("dashboard", 10), ("command line", 20), ("demo", 1)] as [(String, Int64)] {
      let sweep = try shelf.store.beginSweep(.all, by: starter, at: day(1))
      var counts = SweepCounts()
      (counts.picked, counts.validated) = (60, 60)
      let summary = SweepSummary(started: day(1), elapsed: seconds * 1000, counts: counts)
      try shelf.store.finish(sweep, summary, at: day(1) + seconds * 1000)
    }
    let estimate = try shelf.store.estimate(of: .all, at: day(1))
    #expect(estimate.rate == 4 && estimate.milliseconds(at: nil) == 7500)
    #expect(estimate.milliseconds(at: 30) == 1000)
  }
}
