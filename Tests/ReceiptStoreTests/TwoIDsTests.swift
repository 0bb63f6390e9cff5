import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// METRICS §1.3: purchases with one transaction id in answers and others in signed data.
@Suite struct TwoIDsTests {
  /// Data about one purchase: answers without a receipt, and signed rows.
  enum Word: Sendable {
    case answer, refundedAnswer, freeAnswer, subscribed, extended, refund, redated, reversal, third
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var words: [Word]
    var state = LineState.active
    var expires = 30
    var refunded: Int64?
    /// Expected events, oldest first.
    var events: [LineEvent.Kind] = []
  }

  static let cases = [
    Case(testDescription: "a price", words: [.answer, .subscribed]),
    Case(
      testDescription: "a price under the third id", words: [.answer, .subscribed, .third],
      events: [.uncancellation]),
    Case(
      testDescription: "a later expiry", words: [.answer, .subscribed, .extended], expires: 44,
      events: [.subscriptionExtended]),
    Case(
      testDescription: "a percentage", words: [.answer, .subscribed, .refund], state: .revoked,
      refunded: 3_995_000, events: [.cancellation]),
    Case(
      testDescription: "a percentage of a refund that is also in answers",
      words: [.answer, .subscribed, .refund, .refundedAnswer], state: .revoked, refunded: 3_995_000,
      events: [.cancellation]),
    Case(
      testDescription: "a refund with another date",
      words: [.refundedAnswer, .subscribed, .refund, .redated],
      state: .revoked, refunded: 5_992_500, events: [.cancellation]),
    Case(
      testDescription: "a reversal", words: [.answer, .subscribed, .refund, .reversal],
      events: [.cancellation, .refundReversed]),
    Case(
      testDescription: "a reversal of a refund that is also in answers",
      words: [.refundedAnswer, .subscribed, .reversal], events: [.cancellation, .refundReversed]),
    Case(
      testDescription: "a reversal of a refund with another date",
      words: [.subscribed, .refund, .redated, .reversal], events: [.cancellation, .refundReversed]),
    Case(
      testDescription: "a reversal without a notification",
      words: [.subscribed, .refundedAnswer, .freeAnswer], events: [.cancellation, .refundReversed]),
  ]

  private func row(_ id: String, until end: Int? = 30, cancelled: Int? = nil) -> Transaction {
    monthly(id, 0, end ?? 30) {
      if end == nil { $0.expiresDate = nil }
      $0.webOrderLineItemID = WebOrderLineItemID("700")
      $0.cancellationDate = cancelled.map { day($0) }
    }
  }

  private func take(
    _ word: Word, _ ids: [String], isOneTime: Bool, into shelf: Shelf, at now: Instant
  ) throws {
    func row(_ id: String, until end: Int = 30, cancelled: Int? = nil) -> Transaction {
      self.row(id, until: isOneTime ? nil : end, cancelled: cancelled)
    }
    func answer(_ t: Instant, _ row: Transaction) throws {
      let answer = makeAnswer(at: t, row, infos: isOneTime ? [] : [.make()])
      _ = try shelf.store.add([ImportedAnswer(answer: answer, status: 0, observedAt: t)], at: now)
    }
    func notify(
      _ type: NotificationType, _ number: Int, _ row: Transaction, _ t: Instant, percentage: Int64? = nil
    ) throws {
      let notification = makeSignedNotification(type, id: number, row, isOneTime ? nil : .make(), at: t) {
        guard number == 1 else { return }
        $0.price = Money(micros: 7_990_000, currency: CurrencyCode("EUR"))
        ($0.pricedAt, $0.pricedSince) = (t, t)
        ($0.storefront, $0.offerType) = (StorefrontCode("DEU"), 3)
      }
      var refund = notification
      if let percentage, let date = row.cancellationDate {
        refund.rows[0].answer.transactions[0].terms?.add(
          .init(date: date, signedAt: t, type: "REFUND_PRORATED", percentage: percentage))
      }
      #expect(try shelf.store.receive([.signed(refund)], at: now) == [.kept])
      #expect(try shelf.store.receive([.signed(refund)], at: now) == [.replayed])
    }
    let id = ids[place(of: word)]
    switch word {
    case .answer: try answer(day(1), row(id))
    case .refundedAnswer: try answer(day(11), row(id, cancelled: 9))
    case .freeAnswer: try answer(day(15), row(id))
    case .subscribed: try notify(isOneTime ? .oneTimeCharge : .subscribed, 1, row(id), day(0, hours: 1))
    case .extended: try notify(.renewalExtended, 2, row(id, until: 44), day(9))
    case .refund: try notify(.refund, 3, row(id, cancelled: 9), day(10), percentage: 50_000)
    case .redated: try notify(.refund, 4, row(id, cancelled: 8), day(13), percentage: 75_000)
    case .reversal: try notify(.refundReversed, 5, row(id), day(14))
    case .third: try notify(.didChangeRenewalStatus, 6, row(id), day(2))
    }
  }

  private func place(of word: Word) -> Int {
    switch word {
    case .answer, .refundedAnswer, .freeAnswer: 0
    case .redated, .third: 2
    default: 1
    }
  }

  @Test(.tags(.long), arguments: cases, [false, true]) func isOnePurchase(_ one: Case, isOneTime: Bool) throws
  {
    // Only subscriptions have later expiries and auto-renew.
    guard !isOneTime || Set(one.words).isDisjoint(with: [.extended, .third]) else { return }
    for (turn, ids) in ([["3", "2", "1"]] + (isOneTime ? [] : [["1", "2", "3"]])).enumerated() {
      var first: [Report]?
      for (number, words) in permutations(one.words).enumerated() {
        // Each order of ids takes half of the 24 orders of four words.
        guard one.words.count < 4 || isOneTime || number % 2 == turn else { continue }
        let shelf = try Shelf()
        for word in words { try take(word, ids, isOneTime: isOneTime, into: shelf, at: day(100)) }
        let status = try shelf.store.status(at: day(100), check: true)
        #expect(status.transactions == 1 && status.integrity == "ok", "\(words)")
        #expect(try shelf.store.status(at: day(100), asOf: day(40)).transactions == 1)
        let known = Set(words.map { ids[place(of: $0)] }).sorted()
        let chain = try #require(try shelf.store.chains(matching: ids[1], at: day(20)).first)
        let line = chain.lines.first
        let all = line?.transactions ?? chain.oneTime
        let bought = try #require(all.first)
        #expect((line == nil) == isOneTime && all.count == 1 && bought.transactionId.rawValue == known[0])
        #expect(bought.alsoTransactionIds.map(\.rawValue) == Array(known.dropFirst()), "\(words)")
        #expect(bought.priceMicros == 7_990_000 && bought.currency?.rawValue == "EUR", "\(words)")
        #expect(bought.storefront?.rawValue == "DEU" && bought.offerType == 3)
        #expect(bought.expiresMs == (isOneTime ? nil : day(one.expires)), "\(words)")
        if let line {
          #expect(bought.pricePeriod == Period(1, .month) && line.state == one.state, "\(words)")
        }
        #expect(bought.partialRefundMicros == one.refunded, "\(words) \(ids)")
        let events = line?.events ?? chain.events
        let start = isOneTime ? LineEvent.Kind.nonRenewingPurchase : .initialPurchase
        #expect(events.reversed().map(\.type) == [start] + one.events, "\(words) \(ids)")
        let sum = events.compactMap(\.price?.micros).reduce(0, +)
        #expect(sum == 7_990_000 - (one.refunded ?? 0), "\(words) \(ids)")
        #expect(try shelf.dueInstants().map { $0 != nil } == [true], "\(words)")
        let reports = try reports(of: shelf)
        first = first ?? reports
        for (report, other) in zip(reports, first ?? []) {
          #expect(differences(report, other) == [], "\(words) \(ids)")
        }
      }
    }
  }

  @Test(arguments: [false, true]) func aSecondIDIsNotANewTransaction(isInOneImport: Bool) throws {
    let shelf = try Shelf()
    let answers = [1, 2].map { number in
      ImportedAnswer(
        answer: makeAnswer(at: day(number), row("\(number)"), infos: [.make()]), status: 0,
        observedAt: day(number))
    }
    let imports = isInOneImport ? [answers] : answers.map { [$0] }
    let new = try imports.map { try shelf.store.add($0, at: day(20)).newTransactions }
    #expect(new == (isInOneImport ? [1] : [1, 0]))
    let notification = makeSignedNotification(.subscribed, id: 1, row("3"), .make(), at: day(3))
    #expect(try shelf.store.add([.signed(notification)], at: day(20)).newTransactions == 0)
  }

  /// Returns reports from stored sums, which lines in memory and rebuilt sums must confirm.
  private func reports(of shelf: Shelf) throws -> [Report] {
    let population = try shelf.store.evidenceLedger()
    func answers() throws -> [Report] {
      try [(Panel.overview, 20), (.overview, 41), (.refunds, 20), (.events, 41)].map { panel, t in
        try shelf.store.report(Question(panel: panel, at: day(t), windowDays: 60))
      }
    }
    let reports = try answers()
    for report in reports {
      let question = Question(panel: report.report, at: report.asOfMs, windowDays: 60)
      #expect(differences(report, population.report(question)) == [])
    }
    try shelf.store.rebuild()
    for (report, other) in zip(reports, try answers()) { #expect(differences(report, other) == []) }
    return reports
  }

  private func permutations(_ words: [Word]) -> [[Word]] {
    guard words.count > 1 else { return [words] }
    return words.indices.flatMap { place in
      var rest = words
      let first = rest.remove(at: place)
      return permutations(rest).map { [first] + $0 }
    }
  }

  /// Purchases of different chains, or without line items, are distinct.
  @Test func doesNotMergeDistinctPurchases() throws {
    let shelf = try Shelf()
    let rows = [
      row("1"), monthly("20", 0, 30) { $0.originalTransactionID = OriginalTransactionID("20") },
      monthly("5", 0, 30) { $0.inAppOwnershipType = .familyShared },
      monthly("6", 0, 30) { $0.inAppOwnershipType = .familyShared },
    ]
    for (number, var row) in rows.enumerated() {
      if number == 1 { row.webOrderLineItemID = WebOrderLineItemID("700") }
      let notification = makeSignedNotification(.subscribed, id: number, row, nil, at: day(1))
      #expect(try shelf.store.receive([.signed(notification)], at: day(1)) == [.kept])
    }
    let kept = try shelf.store.evidenceLedger().lines.flatMap(\.rows)
    #expect(kept.map(\.id.rawValue).sorted() == ["1", "20", "5", "6"])
    #expect(kept.flatMap(\.duplicateIDs) == [])
  }
}
