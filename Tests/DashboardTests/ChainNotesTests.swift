import Dashboard
import Subscriptions
import Testing

@Suite("Changes of a period's end") struct ChainNotesTests {
  /// Whether the period was upgraded, its ownership, and the words for its end and for a reversed end.
  static let cases: [(Bool, String, String, String)] = [
    (false, "PURCHASED", "refunded (Apple set cancellation_date", "the refund"),
    (true, "PURCHASED", "ended by upgrade (Apple set cancellation_date", "the end by upgrade"),
    (false, "FAMILY_SHARED", "revoked (Apple set cancellation_date", "the revocation"),
  ]

  @Test("name what ended it", arguments: cases)
  func cancelled(_ isUpgraded: Bool, _ ownership: String, _ appeared: String, _ takenBack: String) throws {
    var chain = Sample.story
    let row = chain.lines[0].transactions.count - 1
    var before = try #require(chain.lines[0].transactions[row].endsHistory.first)
    (before.cancellationMs, before.upgraded) = (nil, false)
    var after = before
    (after.cancellationMs, after.upgraded) = (Sample.now, isUpgraded)
    chain.lines[0].transactions[row].inAppOwnershipType = ownership
    var redated = after
    redated.cancellationMs = Sample.now + Milliseconds.day
    chain.lines[0].transactions[row].endsHistory = [before, after, before, after, redated]
    let printed = text(of: [chain], at: Sample.now, width: 400)
    #expect(printed.contains(appeared), "\(printed)")
    for words in [
      "\(takenBack) of 2026-11-21 09:05 was",
      "moved \(takenBack) from 2026-11-21 09:05 to 2026-11-22 09:05",
    ] {
      #expect(printed.contains(words), "\(printed)")
    }
    let others = Self.cases.map(\.2).filter { $0 != appeared }
    #expect(!others.contains { printed.contains(" \($0)") }, "\(printed)")
  }
}

/// Timelines show positions as defined in METRICS §3, not flags, and the dates of refunds.
@Suite("A timeline") struct ChainTimelineTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    /// Days of periods before now, with the day of a refund.
    let rows: [(from: Int, until: Int, refunded: Int?)]
    /// Validations by day, with billing retry and the end of grace; `nil` if one had no renewal info.
    let seen: [(day: Int, info: (isRetrying: Bool, grace: Int?)?)]
    /// Characters of the bar, without repetitions.
    let bar: String
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(
      name: "a failure that is seen after the recovery", rows: [(-100, -70, nil), (-60, -30, nil)],
      seen: [(-99, (false, nil)), (-58, (true, nil))], bar: "█?█?"),
    Case(
      name: "a return that was not watched", rows: [(-100, -70, nil), (-60, 30, nil)],
      seen: [(-99, (false, nil)), (-59, (false, nil))], bar: "█?█"),
    Case(
      name: "billing retry that was seen", rows: [(-100, -70, nil), (-60, -30, nil)],
      seen: [(-65, (true, nil)), (-29, (false, nil))], bar: "█╌█·"),
    Case(
      name: "grace, and billing retry since", rows: [(-60, -30, nil)], seen: [(-29, (true, -15))], bar: "█░╌"),
    Case(
      name: "no info in the gap", rows: [(-100, -70, nil), (-60, 30, nil)], seen: [(-65, nil), (-59, nil)],
      bar: "█·█"),
    Case(name: "not validated since", rows: [(-60, -30, nil)], seen: [(-59, nil)], bar: "█?"),
    Case(
      name: "a refund", rows: [(-100, -50, -80), (-20, 30, nil)], seen: [(-19, nil)], bar: "█✗·█"),
    Case(
      name: "a refund after the end", rows: [(-100, -50, -40)], seen: [(-39, (false, nil))], bar: "█·✗·"),
    Case(
      name: "a refund after the renewal", rows: [(-100, -50, -40), (-50, 30, nil)], seen: [(-19, nil)],
      bar: "█✗█"),
    Case(
      name: "billing retry that is shorter than a column", rows: [(-700, -340, nil), (-338, 20, nil)],
      seen: [(-340, (true, nil)), (-1, (false, nil))], bar: "█╌█"),
  ])
  func drawsPositions(_ test: Case) throws {
    func day(_ number: Int) -> Instant { Sample.now + Int64(number) * Milliseconds.day }
    let original = OriginalTransactionID("1")
    var chain = Chain(environment: .production, originalTransactionID: original)
    chain.transactions = test.rows.enumerated().map { place, row in
      var bought = Transaction(
        transactionID: TransactionID("\(place)"), originalTransactionID: original,
        productID: ProductID("monthly"), purchaseDate: day(row.from), expiresDate: day(row.until))
      bought.cancellationDate = row.refunded.map(day)
      return bought
    }
    for (at, snapshot) in test.seen {
      chain.validations.append(day(at))
      guard let snapshot else { continue }
      var info = RenewalInfo()
      (info.originalTransactionID, info.productID) = (original, ProductID("monthly"))
      (info.isInBillingRetryPeriod, info.gracePeriodExpiresDate) = (
        snapshot.isRetrying, snapshot.grace.map(day)
      )
      chain.renewalValidations.append(day(at))
      chain.renewals.append(
        RenewalObservation(info: info, observedAfter: chain.renewals.last?.observedAt, observedAt: day(at)))
    }
    (chain.validatedAt, chain.renewalsConfirmedAt) = (chain.validations.last, chain.renewalValidations.last)
    let report = ChainReport(chain, ChainContext(catalog: .empty), at: Sample.now)
    let lines = text(of: [report], at: Sample.now, width: 120).split(separator: "\n")
    let place = try #require(lines.firstIndex(of: "Timeline"))
    let bar = lines[place + 1].filter { $0 != " " }
    let runs = zip(" " + bar, bar).filter { $0 != $1 }.map { String($0.1) }.joined()
    #expect(runs == test.bar, "\(bar)")
  }
}
