import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct SignedRowTests {
  func row(
    _ row: Transaction, at t: Instant, price: Int64? = nil, user: String? = nil,
    change: (inout SignedTerms) -> Void = { _ in }
  ) -> ImportedAnswer {
    var (row, terms) = (row, SignedTerms(signedAt: t))
    if let price {
      terms.price = Money(micros: price, currency: CurrencyCode("EUR"))
      (terms.pricedAt, terms.pricedSince) = (t, t)
    }
    change(&terms)
    row.terms = terms
    return signed(Answer(environment: .production, transactions: [row]), at: t, user, "\(row.transactionID)")
  }

  func info(_ info: RenewalInfo, at t: Instant) -> ImportedAnswer {
    signed(Answer(environment: .production, renewalInfos: [info]), at: t, nil, "info")
  }

  func signed(_ answer: Answer, at t: Instant, _ user: String?, _ name: String) -> ImportedAnswer {
    var answer = answer
    (answer.bundleID, answer.requestDate) = (BundleID("app"), t)
    return ImportedAnswer(
      answer: answer, status: 0, appUserID: user.map(AppUserID.init), observedAt: t,
      signed: SignedText(header: "header", payload: "\(name) \(t)", signature: "signature"))
  }

  /// *JWSTransactionDecodedPayload › appTransactionId* identifies a customer of an app across purchases.
  @Test func areFoundByTheAppTransaction() throws {
    let shelf = try Shelf()
    for (id, customer) in [("1", "704"), ("2", "704"), ("3", "7041")] {
      let bought = monthly(id, -7, 21) { $0.originalTransactionID = OriginalTransactionID(id) }
      _ = try shelf.store.add(
        [row(bought, at: day(1)) { $0.appTransactionID = customer }], at: day(2))
    }
    let found = try shelf.store.chains(matching: "704", at: day(3)).map(\.originalTransactionId.rawValue)
    #expect(found == ["1", "2"])
    let suggested = try shelf.store.suggestions(for: "70", patience: .seconds(600)) { true }
    #expect(
      suggested.found == [IDSuggestion(.appTransaction, "704"), IDSuggestion(.appTransaction, "7041")])
  }

  func answer(_ rows: [Transaction], at t: Instant, infos: [RenewalInfo] = []) -> ImportedAnswer {
    ImportedAnswer(
      answer: Answer(
        environment: .production, bundleID: BundleID("app"), requestDate: t, transactions: rows,
        renewalInfos: infos), status: 0, observedAt: t)
  }

  func take(_ items: [ImportedAnswer], into shelf: Shelf) throws {
    for item in items { _ = try shelf.store.add([item], at: day(1000)) }
  }

  private func mrr(_ shelf: Shelf, at t: Instant, asKnownThen: Bool = false) throws -> [Money] {
    var question = Question(panel: .active, at: t)
    question.asKnownThen = asKnownThen
    return try shelf.store.report(question).data[amounts: "mrr"].totals
  }

  /// METRICS §4: a signed price takes precedence over the catalog, and is kept if a later row has none.
  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1]])
  func aSignedPriceWins(_ order: [Int]) throws {
    let items = [
      answer([monthly("1", 0, 30)], at: day(1)), row(monthly("1", 0, 30), at: day(2), price: 7_990_000),
      row(monthly("1", 0, 30), at: day(3)),
    ]
    let shelf = try Shelf()
    try take(order.map { items[$0] }, into: shelf)
    #expect(try mrr(shelf, at: day(10)) == [Money(micros: 7_990_000, currency: CurrencyCode("EUR"))])
    let entry = try #require(try shelf.store.chains(matching: "1", at: day(10)).first?.lines.first)
    #expect(entry.transactions.first?.priceSource == .signed)
    #expect(entry.transactions.first?.signedAtMs == day(3))
    // No price was signed at that time.
    #expect(try mrr(shelf, at: day(1, hours: 12), asKnownThen: true).map(\.currency.rawValue) == ["USD"])
  }

  /// Signed data makes its customer due, unless another receipt holds the chain or the account is gone.
  @Test(
    arguments: [
      (nil, nil, true, nil), ("held", nil, false, "nothing to ask with"),
      (nil, ReceiptOutcome.Result.rejected(status: 21002, reason: "malformed"), true, nil),
      (nil, .accountGone, false, "the user account cannot be found or has been deleted"),
    ] as [(String?, ReceiptOutcome.Result?, Bool, String?)])
  func makesItsCustomerAskable(
    otherHolder: String?, end: ReceiptOutcome.Result?, isDue: Bool, reason: String?
  ) throws {
    let shelf = try Shelf()
    if let end {
      let receipt = try shelf.keep(someReceipt)
      try shelf.take(makeAnswer(at: day(1), monthly("1", 0, 30)), for: receipt)
      _ = try shelf.store.record([ReceiptOutcome(receipt: receipt, result: end)], of: nil, at: day(9))
    } else {
      try take([answer([monthly("1", 0, 30)], at: day(1))], into: shelf)
    }
    if otherHolder != nil {
      let other = ImportedReceipt(data: ReceiptData(trusted: "MIIC"), appUserID: AppUserID("v"))
      _ = try shelf.store.add([other], at: day(1))
      let id = ReceiptID(rawValue: 2)
      try shelf.take(makeAnswer(at: day(2), monthly("1", 0, 30)), for: id)
    }
    func first() throws -> ReceiptEntry? {
      try shelf.store.chains(matching: "1", at: day(20)).first?.receipts.first
    }
    #expect(try first()?.nextDueAtMs == nil && first()?.neverDueBecause != nil)
    let signed = row(monthly("2", 30, 60), at: day(8), price: 7_990_000)
    try take([signed], into: shelf)
    #expect(try (first()?.nextDueAtMs != nil) == isDue && first()?.neverDueBecause == reason)
    // An account that was gone returns by buying again.
    try take([row(monthly("3", 60, 90), at: day(19))], into: shelf)
    #expect(try (first()?.nextDueAtMs != nil) == (otherHolder == nil))
  }

  @Test func aCustomerWithoutAReceipt() throws {
    let shelf = try Shelf()
    let rows = [
      row(monthly("1", 0, 30), at: day(1), price: 7_990_000, user: "u"),
      row(monthly("2", 30, 60), at: day(31), price: 8_990_000, user: "u"),
    ]
    try take(rows, into: shelf)
    #expect(try shelf.store.status(at: day(32)).receipts == 1)
    let chain = try #require(try shelf.store.chains(matching: "u", at: day(32)).first)
    #expect(chain.lines.first?.transactions.map(\.priceMicros) == [7_990_000, 8_990_000])
    #expect(chain.bundleId == BundleID("app") && chain.validatedAtMs == nil)
    #expect(try shelf.store.add(rows, at: day(33)).changed == 0)
  }

  /// A signed transaction does not show later events; a signed renewal info does.
  @Test func aSignedTransactionDoesNotCountAsValidation() throws {
    let shelf = try Shelf()
    try take([answer([monthly("1", 0, 30)], at: day(1)), row(monthly("1", 0, 30), at: day(40))], into: shelf)
    func state() throws -> LineState? {
      try shelf.store.chains(matching: "1", at: day(50)).first?.lines.first?.state
    }
    #expect(try state() == .overdue)
    try take([info(.make(autoRenew: false, intent: .customerCancelled), at: day(41))], into: shelf)
    #expect(try state() == .expired)
  }

  @Test func anUncheckedLineIsNotFresh() throws {
    let shelf = try Shelf()
    let unchecked = monthly("2", 0, 30) { $0.originalTransactionID = OriginalTransactionID("2") }
    try take([answer([monthly("1", 0, 30)], at: day(5)), row(unchecked, at: day(1))], into: shelf)
    let now = day(5, hours: 12)
    let freshness = try #require(try shelf.store.queue(at: now).freshness)
    #expect(freshness.max == Milliseconds.day / 2 && freshness.within24h == 0.5)
    #expect(try shelf.store.status(at: now).fresh24h == freshness.within24h)
  }

  /// Terms of the next renewal: the newest counts in any order, and a missing price removes none.
  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]]) func theNextRenewal(_ order: [Int]) throws {
    func renewal(_ t: Instant, price: Int64?, offers: [String]) -> ImportedAnswer {
      var item = info(.make(chain: "1"), at: t)
      var terms = RenewalTerms(
        originalTransactionID: OriginalTransactionID("1"), productID: ProductID("monthly"),
        renewalDate: day(30), signedAt: t,
        price: price.map { Money(micros: $0, currency: CurrencyCode("EUR")) })
      terms.winBackOfferIDs = offers
      terms.commitment = CommitmentRenewal(
        autoRenewProductID: nil, autoRenewStatus: true, billingPlan: "MONTHLY", date: day(360),
        priceMicros: nil)
      item.answer.renewalTerms = [terms]
      return item
    }
    let shelf = try Shelf()
    try take([row(monthly("1", 0, 30), at: day(1), price: 7_990_000)], into: shelf)
    let items = [
      renewal(day(2), price: 8_990_000, offers: ["old"]), renewal(day(3), price: 9_990_000, offers: []),
      renewal(day(4), price: nil, offers: ["half", "month"]),
    ]
    try take(order.map { items[$0] }, into: shelf)
    let chain = try #require(try shelf.store.chains(matching: "1", at: day(10)).first)
    let next = try #require(chain.lines.first?.nextRenewal)
    #expect(next.priceMicros == 9_990_000 && next.renewalDateMs == day(30) && next.signedAtMs == day(4))
    #expect(next.eligibleWinBackOfferIds == ["half", "month"])
    #expect(next.commitment?.date == day(360) && next.commitment?.autoRenewStatus == true)
    #expect(try shelf.store.add(items, at: day(11)).changed == 0)
  }

  /// A commitment whose end moved after a late payment, and the app's account token.
  @Test(arguments: [[0, 1], [1, 0]]) func aCommitmentAndAnAccountToken(_ order: [Int]) throws {
    func signed(_ t: Instant, until end: Instant) -> ImportedAnswer {
      var bought = monthly("1", 0, 30)
      bought.appAccountToken = "9b7f3c1e-0000-4000-8000-000000000001"
      return row(bought, at: t, price: 9_990_000) {
        $0.billingPlan = "MONTHLY"
        $0.commitment = Commitment(
          signedAt: t, billingPeriodNumber: 1, totalBillingPeriods: 12, expires: end, priceMicros: 119_880_000
        )
      }
    }
    let shelf = try Shelf()
    let items = [signed(day(1), until: day(360)), signed(day(2), until: day(365))]
    try take(order.map { items[$0] }, into: shelf)
    let token = "9b7f3c1e-0000-4000-8000-000000000001"
    let chain = try #require(try shelf.store.chains(matching: token, at: day(10)).first)
    #expect(chain.appAccountToken == token)
    for spelling in [token.uppercased(), "9B7f3c1e-0000-4000-8000-000000000001"] {
      #expect(try shelf.store.chains(matching: spelling, at: day(10)).map(\.appAccountToken) == [token])
    }
    let entry = try #require(chain.lines.first?.transactions.first)
    #expect(entry.commitment?.expires == day(365) && entry.commitment?.billingPeriodNumber == 1)
    #expect(entry.billingPlanType == "MONTHLY" && entry.monthlyMicros == 9_990_000)
  }

  /// METRICS §4, Period: an extension changes neither the period nor the MRR, in any order.
  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]]) func anExtension(_ order: [Int]) throws {
    let items = [
      row(monthly("1", 0, 31), at: day(0), price: 9_990_000),
      row(monthly("1", 0, 76), at: day(20), price: 9_990_000), info(.make(), at: day(21)),
    ]
    let shelf = try Shelf()
    try take(order.map { items[$0] }, into: shelf)
    for t in [day(10), day(50)] {
      #expect(try mrr(shelf, at: t) == [Money(micros: 9_990_000, currency: CurrencyCode("EUR"))])
    }
    let entry = try #require(try shelf.store.chains(matching: "1", at: day(50)).first?.lines.first)
    let bought = try #require(entry.transactions.first)
    #expect(bought.pricePeriod == Period(1, .month) && bought.expiresMs == day(76))
    let question = Question(panel: .churn, at: day(80))
    let renewals = try shelf.store.report(question).data[parts: "renewals"]
    #expect(renewals.map { $0[text: "period"] } == ["P1M"])
  }

  /// METRICS §2: rows signed before October 2023 may take their kind from the catalog, even a later one.
  @Test(
    arguments: [
      (1, [.trial], nil, nil, .trial), (1, [.trial, .intro], nil, nil, .intro), (1, [], nil, nil, .intro),
      (1, [.intro], nil, nil, .intro), (1, [.trial], "PAY_UP_FRONT", nil, .intro),
      (1, [.trial], nil, 990_000, .intro), (3, [.trial], nil, nil, .trial), (3, [], nil, nil, .code),
    ] as [(Int64, [Offer], String?, Int64?, PeriodKind)])
  func anOfferWithoutADiscountType(
    type: Int64, listed: [Offer], discount: String?, price: Int64?, kind: PeriodKind
  ) throws {
    let shelf = try Shelf(catalog: [])
    let offered = monthly("1", 0, 7) {
      ($0.productID, $0.isInIntroOfferPeriod) = (ProductID("lessons"), type == 1)
      $0.offerCodeRefName = type == 3 ? "FRIEND" : nil
    }
    let signed = row(offered, at: day(1), price: price) {
      ($0.offerType, $0.offerDiscountType) = (type, discount)
    }
    try take([signed], into: shelf)
    func bought() throws -> TransactionEntry? {
      try shelf.store.chains(matching: "1", at: day(2)).first?.lines.first?.transactions.first
    }
    #expect(try bought()?.kind == (type == 1 ? "intro" : "code") && bought()?.offerType == type)
    let offers = [Offer.standard] + listed
    _ = try shelf.store.add(
      offers.map { CatalogEntry.make("lessons", $0 == .trial ? 0 : 9_990_000, offer: $0) })
    #expect(try bought()?.kind == kind.rawValue && bought()?.offerType == type)
    if kind == .trial { #expect(try bought()?.priceMicros == 0) }
    let question = Question(panel: .active, at: day(2))
    let figures = try shelf.store.report(question).data
    #expect(figures["trial"] == (kind == .trial ? 1 : 0) && figures["paid"] == (kind == .trial ? 0 : 1))
    #expect(
      try differences(shelf.store.report(question), shelf.store.evidenceLedger().report(question)) == [])
  }

  /// A renewal that Apple billed up to a day early is expected at the price and currency of its signed row.
  @Test(arguments: [nil, 7_990_000] as [Int64?])
  func aRenewalThatWasBilledAheadIsExpectedAtItsPrice(_ priceBefore: Int64?) throws {
    let shelf = try Shelf()
    var before = info(.make(autoRenew: true), at: day(2))
    before.answer.renewalTerms = [
      RenewalTerms(
        originalTransactionID: OriginalTransactionID("1"), productID: ProductID("monthly"),
        renewalDate: day(30), signedAt: day(2),
        price: priceBefore.map { Money(micros: $0, currency: CurrencyCode("EUR")) })
    ]
    let rows = [
      before, row(monthly("1", 0, 30), at: day(1), price: 7_990_000),
      row(monthly("2", 29, 60), at: day(28), price: 8_990_000), info(.make(autoRenew: true), at: day(28)),
    ]
    try take(rows, into: shelf)
    let question = Question(panel: .overview, at: day(29) - 1)
    let report = try shelf.store.report(question)
    #expect(try differences(report, shelf.store.evidenceLedger().report(question)) == [])
    let week = try #require(report.data[parts: "due"].last)
    #expect(week["renewing"] == 1 && week["unpriced"] == 0)
    #expect(week[amounts: "expected"].totals == [Money(micros: 8_990_000, currency: CurrencyCode("EUR"))])
  }

  @Test func theNewestIsKept() throws {
    let shelf = try Shelf()
    let items = [5, 9, 7].map { row(monthly("1", 0, 30), at: day($0)) } + [info(.make(), at: day(8))]
    try take(items, into: shelf)
    let texts = try shelf.store.signedRows(matching: "1").map(\.text)
    #expect(texts.count == 2)
    #expect(
      texts.contains("header.1 \(day(9)).signature") && texts.contains("header.info \(day(8)).signature"))
  }
}
