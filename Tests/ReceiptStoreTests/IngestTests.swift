import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct IngestTests {
  private let evidence = [
    "chains", "receipt_chains", "transactions", "transaction_sightings", "renewal_infos",
  ]

  /// Rows of the evidence and derived tables, without row ids and the receipt that was answered.
  private func everything(_ shelf: Shelf) throws -> [[String]] {
    try (evidence + ["lines", "spans", "events", "catalog"]).map {
      try shelf.table($0, without: ["id", "answered_by"])
    }
  }

  @Test func rowsMissingFromAnAnswerAreKept() throws {
    let (shelf, id) = try Shelf.withReceipt()
    let info = RenewalInfo.make()
    try shelf.take(makeAnswer(at: day(31), monthly("1", 0, 30), monthly("2", 30, 60), infos: [info]), for: id)
    #expect(try shelf.take(makeAnswer(at: day(32), monthly("2", 30, 60)), for: id) == .unchanged)
    #expect(try shelf.take(makeAnswer(at: day(33)), for: id) == .unchanged)
    let line = try #require(try shelf.store.evidenceLedger().lines.first)
    #expect(line.rows.map(\.id.rawValue) == ["1", "2"])
    #expect(line.renewals.map(\.info) == [info])
  }

  struct Renewals: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Day and auto-renew of each answer, in order of arrival.
    let answers: [(Int, Bool)]
    /// Auto-renew, the day it was first observed, and the day of the answer before that.
    let kept: [(Bool, Int, Int?)]
  }

  /// Renewal infos are stored only when they change, with the interval of the change.
  @Test(arguments: [
    Renewals(
      testDescription: "in order", answers: [(1, true), (3, true), (5, false), (7, false), (9, true)],
      kept: [(true, 1, nil), (false, 5, 3), (true, 9, 7)]),
    Renewals(
      testDescription: "a late answer", answers: [(1, true), (9, true), (5, false)],
      kept: [(true, 1, nil), (false, 5, 1), (true, 9, 5)]),
    Renewals(
      testDescription: "the first comes last", answers: [(9, true), (5, true), (1, true)],
      kept: [(true, 1, nil)]),
  ])
  func changedRenewalInfosAreKept(_ renewals: Renewals) throws {
    let (shelf, id) = try Shelf.withReceipt()
    for (at, isOn) in renewals.answers {
      try shelf.take(makeAnswer(at: day(at), monthly("1", 0, 30), infos: [.make(autoRenew: isOn)]), for: id)
    }
    let line = try #require(try shelf.store.evidenceLedger().lines.first)
    #expect(line.renewals.map(\.info.autoRenewStatus) == renewals.kept.map(\.0))
    #expect(line.renewals.map(\.observedAt) == renewals.kept.map { day($0.1) })
    #expect(line.renewals.map(\.observedAfter) == renewals.kept.map { $0.2.map { day($0) } })
    #expect(line.rows.first?.sighting?.first == day(1))
  }

  @Test func staleInAppRowsUndoNothing() throws {
    let (shelf, id) = try Shelf.withReceipt()
    let cancelled = monthly("1", 0, 44) { row in
      row.cancellationDate = day(9)
      row.cancellationReason = "1"
    }
    try shelf.take(makeAnswer(at: day(10), cancelled), for: id)
    let stale = makeAnswer(at: day(11), monthly("1", 0, 30), lagging: [TransactionID("1")])
    #expect(try shelf.take(stale, for: id) == .unchanged)
    #expect(try shelf.store.evidenceLedger().lines.first?.rows.first?.transaction.cancellationDate == day(9))
    #expect(try shelf.store.evidenceLedger().lines.first?.rows.first?.expires == day(44))
    let upgrade = makeAnswer(
      at: day(12), monthly("1", 0, 30) { $0.isUpgraded = true }, lagging: [TransactionID("1")])
    #expect(try shelf.take(upgrade, for: id) == .changed(AnswerNews(stateChanges: 1)))
    #expect(try shelf.store.evidenceLedger().lines.first?.rows.first?.transaction.isUpgraded == true)
  }

  @Test func aLateAnswerOverridesInAppRows() throws {
    let (shelf, id) = try Shelf.withReceipt()
    try shelf.take(makeAnswer(at: day(11), monthly("1", 0, 30), lagging: [TransactionID("1")]), for: id)
    try shelf.take(makeAnswer(at: day(10), monthly("1", 0, 44) { $0.cancellationDate = day(9) }), for: id)
    let row = try #require(try shelf.store.evidenceLedger().lines.first?.rows.first)
    #expect(row.refundedAt == day(9) && row.expires == day(44))
  }

  @Test func anAnswerFromTheFutureIsRefused() throws {
    let shelf = try Shelf()
    for (index, at) in [day(2), day(2) + 1].enumerated() {
      let answer = ImportedAnswer(
        answer: makeAnswer(at: day(1), monthly("1", 0, 30)), status: 0, observedAt: at)
      #expect(try shelf.store.add([answer], at: day(1)).refused.count == index)
    }
    #expect(try shelf.store.status(at: day(1)).receipts == 1)
    #expect(try shelf.store.evidenceLedger().lines.first?.validatedAt == day(2))
  }

  /// A grace period that ended is an event, even if later answers are unchanged.
  @Test func anUnchangedAnswerOutlivesAGracePeriod() throws {
    let (shelf, id) = try Shelf.withReceipt()
    let failing = RenewalInfo.make(retry: true, grace: day(36))
    for at in [31, 33, 37] {
      try shelf.take(makeAnswer(at: day(at), monthly("1", 0, 30), infos: [failing]), for: id)
    }
    let events = try shelf.store.chains(matching: "1", at: day(37)).first?.lines.first?.events
    #expect(events?.contains { $0.type == .gracePeriodExpired } == true)
    #expect(try shelf.table("events").contains { $0.contains("GRACE_PERIOD_EXPIRED") })
  }

  @Test func anAnswerFromBeforeTheEnd() throws {
    let (shelf, id) = try Shelf.withReceipt()
    _ = try shelf.store.record([ReceiptOutcome(receipt: id, result: .accountGone)], of: nil, at: day(40))
    try shelf.take(makeAnswer(at: day(20), monthly("1", 0, 30)), for: id)
    #expect(try shelf.store.evidenceLedger().lines.map(\.goneAt) == [day(40)])
  }

  /// Answers of two receipts about one chain alternate between two values, and neither confirms the other's.
  @Test func conflictingReceiptsDoNotConfirmEachOther() throws {
    let shelf = try Shelf()
    let ids = try ["b", "c"].map { try shelf.keep(ImportedReceipt(data: ReceiptData(trusted: "MII\($0)"))) }
    for at in 1...6 {
      let row = monthly("1", 0, 30) { if at % 2 == 0 { $0.cancellationDate = day(1) } }
      try shelf.take(makeAnswer(at: day(at), row), for: ids[at % 2])
    }
    let row = try #require(try shelf.store.evidenceLedger().lines.first?.rows.first)
    #expect(row.endsHistory.map(\.from) == (1...6).map { day($0) })
    #expect(row.refundedAt == day(1))
  }

  @Test func anUnchangedAnswerWritesTwoSmallRows() throws {
    let (shelf, id) = try Shelf.withReceipt()
    let rows = (0..<40).map { monthly("\($0 + 1)", $0 * 30, $0 * 30 + 30) }
    func said(at t: Instant) -> Answer {
      var answer = Answer(
        environment: .production, bundleID: BundleID("app"), requestDate: t, transactions: rows)
      answer.renewalInfos = [.make()]
      return answer
    }
    try shelf.take(said(at: day(1190)), for: id)
    try shelf.write(Self.counters)
    #expect(try shelf.take(said(at: day(1191)), for: id) == .unchanged)
    #expect(try shelf.table("writes", without: []) == ["what=\"chains\"", "what=\"receipts\""])
  }

  /// Triggers that record the name of each table written.
  private static let counters =
    "CREATE TABLE writes (what TEXT);"
    + [
      "receipts", "chains", "receipt_chains", "transaction_rows", "renewal_infos", "lines", "spans",
      "event_rows",
    ]
    .flatMap {
      table in
      ["INSERT", "UPDATE", "DELETE"].map { verb in
        "CREATE TRIGGER \(table)_\(verb) AFTER \(verb) ON \(table) BEGIN INSERT INTO writes VALUES ('\(table)'); END;"
      }
    }.joined()

  @Test func anAnswerIsStoredAtomically() throws {
    let (shelf, id) = try Shelf.withReceipt()
    try shelf.write(
      "CREATE TRIGGER full BEFORE INSERT ON renewal_infos BEGIN SELECT RAISE(ABORT, 'no room'); END")
    let before = try everything(shelf)
    #expect(throws: StoreError.self) {
      try shelf.take(makeAnswer(at: day(1), monthly("1", 0, 30), infos: [.make()]), for: id)
    }
    #expect(try everything(shelf) == before)
  }

  @Test func aChainMayBeHeldByTwoUsers() throws {
    let shelf = try Shelf()
    for user in ["u", "v"] {
      let receipt = ImportedReceipt(data: ReceiptData(trusted: "MII" + user), appUserID: AppUserID(user))
      try shelf.take(makeAnswer(at: day(1), monthly("1", 0, 30)), for: try shelf.keep(receipt))
    }
    let lines = try shelf.store.evidenceLedger().lines
    #expect(lines.count == 1)
    #expect(lines.first?.users == [AppUserID("u"), AppUserID("v")])
  }
}
