import Subscriptions
import TestSupport
import Testing

private func pacific(_ month: Int, _ dayOfMonth: Int) throws -> CivilDate {
  try #require(CivilDate(year: 2026, month: month, day: dayOfMonth))
}

private func at(_ text: String) throws -> Instant { try #require(Instant(parsing: text)) }

private let usd = CurrencyCode("USD")
private let usa = StorefrontCode("USA")

private func report(_ kind: AppleReportKind, _ day: CivilDate) -> AppleReport {
  AppleReport(kind: kind, vendor: "80000001", from: day, through: day)
}

private func row(
  _ measure: AppleMeasure, _ day: CivilDate, units: Int64 = 1, price: Int64? = nil, subscriber: String? = nil,
  product: String? = "monthly"
) -> AppleReportRow {
  var row = AppleReportRow(day: day, measure: measure, appleID: "1", storefront: usa)
  row.product = product.map(ProductID.init)
  row.units = units
  row.price = price.map { Money(micros: $0, currency: usd) }
  row.amount = price.map { Money(micros: $0 * units, currency: usd) }
  row.subscriber = subscriber
  return row
}

extension AppleReportRow {
  fileprivate func credited(_ micros: Int64) -> AppleReportRow {
    var row = self
    row.amount = Money(micros: -micros, currency: usd)
    return row
  }
}

extension SignedTerms {
  fileprivate static func sold(at date: Instant) -> SignedTerms {
    var terms = SignedTerms(signedAt: date)
    terms.storefront = usa
    return terms
  }
}

/// Renewals near midnight, with one that Apple billed a day early.
private struct EarlyBilling {
  let days: [CivilDate]
  var reports: [AppleReport]
  var rows: [DatedAppleRow]
  var chains: [Chain]

  init() throws {
    days = try [8, 9, 10, 11, 12].map { try pacific(6, $0) }
    let starts = [
      "2026-06-10T06:30:00Z", "2026-06-10T20:00:00Z", "2026-06-11T05:00:00Z", "2026-06-11T15:00:00Z",
    ]
    chains = try starts.enumerated().map { place, start in
      let renewal = try at(start)
      let first = renewal - 31.days
      var rows = [
        Transaction.make("\(place)a", purchase: first, expires: renewal),
        Transaction.make("\(place)b", purchase: renewal, expires: renewal + 30.days),
      ]
      for place in rows.indices { rows[place].terms = .sold(at: rows[place].purchaseDate) }
      return Chain.make(rows, id: "\(place)", validated: try at("2026-06-20T00:00:00Z"))
    }
    reports = days.flatMap { day in [AppleReportKind.events, .subscriber, .sales].map { report($0, day) } }
    // Date of the renewal, and day on which Apple billed it.
    let billed = try [(9, 9), (10, 10), (10, 10), (11, 10)].map { try (pacific(6, $0.0), pacific(6, $0.1)) }
    rows = billed.enumerated().flatMap { place, dates in
      let price: Int64 = 9_990_000
      return [
        DatedAppleRow(report(.events, dates.1), row(AppleMeasure(event: "Renew"), dates.0)),
        DatedAppleRow(
          report(.subscriber, dates.1), row(.sale, dates.0, price: price, subscriber: "s\(place)")),
        DatedAppleRow(report(.sales, dates.1), row(.sale, dates.1, price: price)),
      ]
    }
  }

  var reconciled: Reconciliation {
    Reconciliation(
      OwnFigures(EvidenceLedger.make(chains), days: days[1]...days[3]), AppleRows(rows), reports: reports
    ) { _ in rows.filter { $0.report.kind == .subscriber } }
  }

  func values(_ figure: ReconciledFigure, _ day: CivilDate) -> ReconciledLine? {
    reconciled.lines([figure], by: .day).first { $0.part == day.description }
  }
}

@Suite struct ReconciliationTests {
  @Test func theByteOfAFigureIsItsPlace() {
    #expect(ReconciledFigure.allCases.map(\.place) == Array(ReconciledFigure.allCases.indices))
    #expect(ReconciledFigure.allCases.filter(\.isMoney) == [.sales, .refunds, .credits, .payout])
  }

  @Test func rendersEarlyBillingAsItsCause() throws {
    let example = try EarlyBilling()
    let tenth = try pacific(6, 10)
    let renewed = try #require(example.values(.renewed, tenth))
    #expect((renewed.apple, renewed.ours, renewed.rest) == (2, 2, 0))
    let units = try #require(example.values(.units, tenth))
    #expect((units.apple, units.ours, units.rest) == (3, 2, 0))
    #expect(units.causes == [.billedEarly: 1])
    let sales = try #require(example.values(.sales, tenth))
    #expect((sales.apple, sales.ours, sales.rest) == (29_970_000, 19_980_000, 0))
    #expect(example.reconciled.matching.onlyApple.isEmpty && example.reconciled.matching.onlyOurs.isEmpty)
    #expect(try example.reconciled.matchesThrough == pacific(6, 11))
  }

  /// The fourth customer upgrades after Apple billed the renewal and before its date.
  @Test func theCreditOfASaleBilledEarlyIsCreditedEarly() throws {
    var example = try EarlyBilling()
    let (tenth, price) = (example.days[2], Int64(9_990_000))
    var rows = example.chains[3].transactions
    let upgraded = try at("2026-06-11T04:00:00Z")
    (rows[1].isUpgraded, rows[1].cancellationDate) = (true, upgraded)
    var upgrade = Transaction.make("3c", product: "gold", purchase: upgraded, expires: upgraded + 30.days)
    upgrade.terms = .sold(at: upgraded)
    example.chains[3] = Chain.make(rows + [upgrade], id: "3", validated: try at("2026-06-20T00:00:00Z"))
    let sold = row(.sale, tenth, price: price, subscriber: "s3", product: "gold")
    example.rows += [
      DatedAppleRow(report(.events, tenth), row(AppleMeasure(event: "Upgrade"), tenth, product: "gold")),
      DatedAppleRow(report(.subscriber, tenth), sold), DatedAppleRow(report(.sales, tenth), sold),
      DatedAppleRow(report(.sales, tenth), row(.credit, tenth, units: 0, price: price).credited(price)),
    ]
    let early = try #require(example.values(.credits, tenth))
    #expect((early.apple, early.ours, early.rest) == (-9_990_000, 0, 0))
    #expect(early.causes == [.billedEarly: -9_990_000])
    let eleventh = try #require(example.values(.credits, example.days[3]))
    #expect((eleventh.apple, eleventh.ours, eleventh.rest) == (0, -9_990_000, 0))
    // Apple has the credit on the sale's date too, so the earlier one is another.
    let dated = example.days[3]
    var both = example
    both.rows.append(
      DatedAppleRow(report(.sales, dated), row(.credit, dated, units: 0, price: price).credited(price)))
    #expect(both.values(.credits, tenth)?.rest == -9_990_000)
    // The store knows no upgrade.
    example.chains[3] = try EarlyBilling().chains[3]
    #expect(example.values(.credits, tenth)?.rest == -9_990_000)
  }

  @Test func anAlertWatchesTheLargestRest() throws {
    var example = try EarlyBilling()
    let alert = Alert("apple", try AlertCondition(parsing: "reconcile.rest > 0"))
    func verdict(_ reconciliation: Reconciliation?) throws -> AlertState.Verdict? {
      let question = Question(panel: .overview, at: try at("2026-06-20T00:00:00Z"))
      return AlertEvaluation(question, firstPurchase: nil, reconciliation: reconciliation).states(of: [alert])
      {
        Report(answering: $0, trust: Trust(), data: FigureValues())
      }.first?.verdict
    }
    #expect(try verdict(nil) == .unknown)
    #expect(try verdict(example.reconciled) == .clear)
    example.rows += example.rows.filter { $0.report.kind == .events }
    #expect(try verdict(example.reconciled) == .raised)
  }

  fileprivate struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var cause: DifferenceCause?
    var figure: ReconciledFigure
    var state = ReconciledRow.State.final
    var change: @Sendable (inout EarlyBilling) throws -> Void
  }

  fileprivate static let changes = [
    Change(testDescription: "a customer is not in the store", cause: .notInStore, figure: .transactions) {
      $0.chains.removeLast()
    },
    Change(testDescription: "the sale of one", cause: .notInStore, figure: .sales) { $0.chains.removeLast() },
    // On the day itself Apple has less, which a late payment may still add.
    Change(testDescription: "an event that Apple dates elsewhere", figure: .renewed, state: .mayChange) {
      example in
      let place = try #require(example.rows.firstIndex { $0.report.kind == .events })
      example.rows[place].row.day = example.days[2]
    },
    Change(testDescription: "a product that is not mapped", cause: .unmappedProduct, figure: .units) {
      example in
      let place = try #require(example.rows.firstIndex { $0.report.kind == .sales })
      example.rows[place].row.product = nil
    },
    Change(
      testDescription: "one of two products is not mapped", cause: .unmappedProduct, figure: .units
    ) { example in
      // Without storefronts, each of the store's rows is one that Apple lacks.
      for chain in example.chains.indices {
        for row in example.chains[chain].transactions.indices {
          example.chains[chain].transactions[row].terms = nil
          if chain == 1 { example.chains[chain].transactions[row].productID = ProductID("yearly") }
        }
      }
      for place in 3...5 { example.rows[place].row.product = nil }
    },
    Change(testDescription: "prices of the catalogue", cause: .catalogPrice, figure: .sales) { example in
      for place in example.rows.indices {
        let euros = { (money: Money) in Money(micros: money.micros * 9 / 10, currency: CurrencyCode("EUR")) }
        example.rows[place].row.price = example.rows[place].row.price.map(euros)
        example.rows[place].row.amount = example.rows[place].row.amount.map(euros)
      }
      for chain in example.chains.indices {
        for row in example.chains[chain].transactions.indices {
          example.chains[chain].transactions[row].terms = nil
        }
      }
    },
    Change(testDescription: "a neighbour's report is missing", figure: .renewed, state: .mayChange) {
      example in
      example.reports.removeAll { $0.kind == .events && $0.from == example.days[4] }
    },
  ]

  @Test(arguments: changes) fileprivate func namesTheCause(_ change: Change) throws {
    var example = try EarlyBilling()
    try change.change(&example)
    let line = try #require(example.reconciled.lines([change.figure]).first)
    #expect(line.state == change.state)
    if let cause = change.cause {
      let parts = example.reconciled.lines([change.figure], by: .product)
      #expect(parts.contains { $0.causes[cause] != nil } && parts.allSatisfy { $0.rest == 0 })
    } else if change.state == .final {
      let days = example.reconciled.lines([change.figure], by: .day)
      #expect(days.contains { $0.rest != 0 }, "an event on another day is not explained")
    }
  }

  @Test func listsMissingCustomers() throws {
    var example = try EarlyBilling()
    example.chains.removeLast()
    let missing = example.reconciled.missing
    #expect(missing.map(\.subscriber) == ["s3"])
    #expect(missing.first?.amounts.totals == [Money(micros: 9_990_000, currency: usd)])
  }

  @Test func anAbsentReportIsNotZero() throws {
    var example = try EarlyBilling()
    let tenth = try pacific(6, 10)
    example.reports.removeAll { $0.kind == .sales && $0.from == tenth }
    example.rows.removeAll { $0.report.kind == .sales && $0.report.from == tenth }
    let units = try #require(example.values(.units, tenth))
    #expect(units.apple == nil && units.state == .absent && units.absentDays == 1)
  }

  /// Ten standard subscriptions (three do not renew), one paid introductory offer, four trials, one in
  /// grace, two in billing retry, and a family member.
  @Test func balancesMatchWithGraceOutside() throws {
    let now = day(40)
    func line(
      _ id: Int, info: RenewalInfo? = nil, expired: Bool = false,
      change: (inout Transaction) -> Void = { _ in }
    ) -> Chain {
      var transaction = Transaction.make(
        "\(id)", purchase: day(20), expires: day(expired ? 39 : 60), change: change)
      transaction.terms = .sold(at: transaction.purchaseDate)
      let infos = info.map { [RenewalObservation(info: $0, observedAt: day(39, hours: 1))] } ?? []
      return Chain.make([transaction], id: "\(id)", infos: infos, validated: day(39, hours: 1))
    }
    var chains =
      (0..<7).map { line($0) } + (7..<10).map { line($0, info: .make(chain: "\($0)", autoRenew: false)) }
    chains.append(line(10) { $0.isInIntroOfferPeriod = true })
    chains += (11..<15).map { line($0) { $0.isTrialPeriod = true } }
    chains.append(line(15, info: .make(chain: "15", retry: true, grace: day(50)), expired: true))
    chains.append(line(16, info: .make(chain: "16", retry: true), expired: true))
    chains.append(line(17, info: .make(chain: "17", retry: true), expired: true) { $0.isTrialPeriod = true })
    chains.append(line(18) { $0.inAppOwnershipType = .familyShared })
    let today = PacificTime.day(of: now)
    let counts: [(String, Int64)] = [
      ("Active Standard Price Subscriptions", 10),
      ("Active Pay As You Go Introductory Offer Subscriptions", 1),
      ("Active Free Trial Introductory Offer Subscriptions", 4), ("Grace Period", 1), ("Billing Retry", 2),
    ]
    let rows = counts.map { name, units in
      DatedAppleRow(report(.subscription, today), row(AppleMeasure(rawValue: name), today, units: units))
    }
    let reconciled = Reconciliation(
      OwnFigures(EvidenceLedger.make(chains), days: today...today), AppleRows(rows),
      reports: [report(.subscription, today)]
    ) { _ in [] }
    #expect(reconciled.activeRule == .withoutGrace)
    #expect(
      reconciled.lines().map { "\($0.figure) \($0.apple ?? -1) \($0.rest ?? -1)" } == [
        "activeStandard 10 0", "freeTrial 4 0", "introductory 1 0", "billingRetry 2 0", "grace 1 0",
      ])
  }

  struct Settled: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Number of days from the billing of one sale to its date.
    var early = 0
    /// Changes the store's key of the third sale; `nil` removes it.
    var own: @Sendable (TransactionKey) -> TransactionKey? = { $0 }
    var isMissing = false
    var ours: Int128 = 74_800_000
    var rest: Int128 = 0
    var causes: [DifferenceCause: Int128] = [:]
  }

  /// Five sales of 22.00 CNY, one settled after the month; Apple's report has one from before it.
  @Test(arguments: [
    Settled(testDescription: "as billed"), Settled(testDescription: "billed early", early: 1),
    Settled(testDescription: "no storefront", own: { $0.with(storefront: nil, price: $0.price) }),
    Settled(
      testDescription: "no price", own: { $0.with(storefront: nil, price: nil) }, ours: 56_100_000,
      causes: [.priceMissing: 18_700_000]),
    Settled(
      testDescription: "the catalogue's price",
      own: { $0.with(storefront: nil, price: Money(micros: 20_000_000, currency: CurrencyCode("CNY"))) },
      ours: 73_100_000, causes: [.catalogPrice: 1_700_000]),
    Settled(
      testDescription: "a missing customer", own: { _ in nil }, isMissing: true, ours: 56_100_000,
      causes: [.notInStore: 18_700_000]),
    Settled(testDescription: "unknown", own: { _ in nil }, ours: 56_100_000, rest: 18_700_000),
  ]) func payoutIsBridged(_ settled: Settled) throws {
    let cny = CurrencyCode("CNY")
    func date(_ month: Int, _ day: Int, _ year: Int = 2025) throws -> CivilDate {
      try #require(CivilDate(year: year, month: month, day: day))
    }
    let month = try AppleReport(kind: .financeDetail, vendor: "1", from: date(11, 2), through: date(11, 29))
    let price = Money(micros: 22_000_000, currency: cny)
    let sold = try [date(11, 3), date(11, 5), date(11, 9), date(11, 20), date(11, 28)]
    let keys = sold.map {
      TransactionKey(day: $0, product: ProductID("monthly"), storefront: usa, price: price)
    }
    let ours = keys.enumerated().compactMap { $0 == 2 ? settled.own($1) : $1 }
    let billed = try [date(10, 28)] + sold.prefix(3) + [date(11, 20 - settled.early)]
    let rows = billed.map { day in
      var row = AppleReportRow(day: day, measure: .sale, appleID: "1", storefront: usa)
      (row.product, row.units, row.price) = (ProductID("monthly"), 1, price)
      row.proceeds = Money(micros: 18_530_000, currency: cny)
      return row
    }
    var refund = try AppleReportRow(day: date(11, 12), measure: .refund, appleID: "1", storefront: usa)
    (refund.product, refund.units, refund.price) = (ProductID("monthly"), -1, price)
    refund.proceeds = Money(micros: -18_530_000, currency: cny)
    let payout = try #require(
      Payout.all(
        month, rows + [refund], transactions: Dictionary(uniqueKeysWithValues: ours.map { ($0, 1) }),
        lacking: settled.isMissing ? [keys[2]: 1] : [:],
        returned: [Money(micros: -22_000_000, currency: cny)], commission: .smallBusiness
      ).first)
    #expect((payout.apple, payout.ours, payout.rest) == (74_120_000, settled.ours, settled.rest))
    let usual: [DifferenceCause: Int128] = [
      .tax: -680_000, .settledBefore: 18_700_000, .settledLater: -18_700_000,
    ]
    #expect(payout.causes == usual.merging(settled.causes) { $1 })
  }

  struct Alike: Sendable {
    var name: String
    /// Customers with their storefronts, each with one transaction of the same day and product.
    var customers: [String: String]
    var isUnsigned = false
    var candidates: Int
  }

  @Test(arguments: [
    Alike(name: "the only one", customers: ["a": "USA"], candidates: 1),
    Alike(name: "one of two", customers: ["a": "USA", "b": "USA"], candidates: 2),
    Alike(name: "another storefront", customers: ["a": "USA", "b": "DEU"], candidates: 1),
    Alike(
      name: "storefronts that the store does not know", customers: ["a": "USA", "b": "DEU"], isUnsigned: true,
      candidates: 2),
  ]) func missingCustomersThatAreAlike(_ alike: Alike) throws {
    let day = try pacific(6, 10)
    let rows = alike.customers.map { name, storefront in
      var row = AppleReportRow(
        day: day, measure: .sale, appleID: "1", storefront: StorefrontCode(storefront))
      (row.product, row.subscriber) = (ProductID("monthly"), name)
      return row
    }
    let keyed = rows.compactMap { row in TransactionKey(row).map { (key: $0, row: row) } }
    let lacking = TransactionKey(day: day, product: ProductID("monthly"), storefront: usa, price: nil)
    let missing = MissingCustomer.all(
      keyed, lacking: [lacking: 1], unsigned: alike.isUnsigned ? [ProductID("monthly")] : [])
    #expect(missing.map(\.subscriber) == ["a"])
    #expect(missing.map(\.candidates) == [alike.candidates])
  }

  @Test(
    arguments: [
      ("Renew", ReconciledFigure.renewed), ("Renewal from Billing Retry", .recovered),
      ("Renewals from Grace Period", .renewed), ("Start Introductory Price", .started),
      ("Subscribe", .started),
      ("Upgrade from Billing Retry", .recovered), ("Crossgrade from Introductory Offer", .renewed),
      ("Reactivate with Upgrade to Introductory Offer", .reactivated),
      ("Reactivation to Promotional Offer", .reactivated),
      ("Billing Retry from Paid Subscription", .enteredRetry), ("Cancelled from Billing Retry", .canceled),
      ("Canceled from Billing Grace Period", .canceled), ("Refund", .refunded), ("Opt-In", nil),
      ("Reawaken", nil),
    ] as [(String, ReconciledFigure?)])
  func eventsAreReadAsSentences(_ name: String, _ figure: ReconciledFigure?) {
    #expect(ReconciledFigure(event: AppleMeasure(event: name)) == figure)
  }

  struct Pair: Sendable {
    var name: String
    var day = 10
    var product = ProductID("monthly")
    var storefront: StorefrontCode? = usa
    var price: Money? = ReconciliationTests.price
    var loosening: TransactionMatching.Loosening?
  }

  private static let price = Money(micros: 9_990_000, currency: usd)
  private static let catalogPrice = Money(micros: 7_990_000, currency: CurrencyCode("EUR"))

  @Test(arguments: [
    Pair(name: "equal", loosening: TransactionMatching.Loosening.none),
    Pair(name: "a day later", day: 11, loosening: .nextDay),
    Pair(name: "no storefront", storefront: nil, loosening: .storefrontUnknown),
    Pair(name: "no price", price: nil, loosening: .priceMissing),
    Pair(name: "the catalogue's price", storefront: nil, price: catalogPrice, loosening: .catalogPrice),
    Pair(name: "another price of the storefront", price: catalogPrice),
    Pair(name: "another product", product: ProductID("weekly")),
    Pair(name: "two days later", day: 12),
  ]) func transactionsMatch(_ pair: Pair) throws {
    let key = try TransactionKey(
      day: pacific(6, 10), product: ProductID("monthly"), storefront: usa, price: Self.price)
    let other = try TransactionKey(
      day: pacific(6, pair.day), product: pair.product, storefront: pair.storefront, price: pair.price)
    let matching = TransactionMatching(apple: [key: 2], ours: [other: 3])
    #expect(matching.matched == (pair.loosening.map { [$0: 2] } ?? [:]))
    #expect(matching.onlyApple.isEmpty == (pair.loosening != nil))
    #expect(matching.onlyOurs == [other: pair.loosening == nil ? 3 : 1])
  }
}

extension TransactionKey {
  fileprivate func with(storefront: StorefrontCode?, price: Money?) -> Self {
    TransactionKey(day: day, product: product, storefront: storefront, price: price)
  }
}
