import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Lines and sales by the storefront that Apple signed with their transactions.
@Suite struct StorefrontTests {
  private static let codes = ["DEU", "USA", "JPN"].map(StorefrontCode.init)

  /// A world in which Apple signed a part of the transactions: a customer may have moved, and of some it told no storefront.
  private func shelf(_ seed: UInt64) throws -> Shelf {
    let (shelf, world) = (try Shelf(), World(seed: seed))
    try shelf.live(world)
    var random = Seeded(seed &+ 4711)
    for answer in world.stories.compactMap(\.answers.last) {
      let at = (answer.requestDate ?? day(0)) + 1
      for row in answer.transactions where random.chance(75) {
        var (row, terms) = (row, SignedTerms(signedAt: at))
        terms.storefront = random.chance(85) ? Self.codes.randomElement(using: &random) : nil
        if random.chance(60) {
          terms.price = Money(
            micros: random.pick(4_990_000, 9_990_000), currency: CurrencyCode(random.pick("EUR", "USD")))
          (terms.pricedAt, terms.pricedSince) = (at, at)
        }
        row.terms = terms
        var signed = Answer(
          environment: answer.environment, bundleID: answer.bundleID, requestDate: at, transactions: [row])
        signed.requestDate = at
        _ = try shelf.store.add(
          [
            ImportedAnswer(
              answer: signed, status: 0, observedAt: at,
              signed: SignedText(header: "header", payload: "\(row.transactionID) \(at)", signature: "s"))
          ], at: at)
      }
    }
    return shelf
  }

  private func question(_ panel: Panel, _ seed: UInt64, _ random: inout Seeded) -> Question {
    let last = World(seed: seed).days.last ?? day(0)
    return Question(
      panel: panel, at: random.pick(last, last + 3.hours + 5, day(Int.random(in: -60...150, using: &random))),
      windowDays: random.pick(7, 28, 400), environment: random.pick(.production, .all),
      products: random.pick([], [], [ProductID("monthly")]))
  }

  @Test(arguments: seeds(80, sanitized: 3)) func theStoreSaysWhatTheLinesDo(_ seed: UInt64) throws {
    let shelf = try shelf(seed)
    let population = try shelf.store.population()
    var random = Seeded(seed &+ 5)
    for panel in Panel.allCases {
      var question = question(panel, seed, &random)
      if panel.tellsStorefronts {
        question.storefronts = random.pick(.all, .only(nil), .only(Self.codes[0]))
      }
      let found = differences(try shelf.store.report(question), population.report(question))
      #expect(found == [], "\(question)")
      guard panel != .events else { continue }
      #expect(try shelf.store.rows(behind: question) == population.rows(question), "\(question)")
    }
    #expect(try shelf.store.answersFromSums())
  }

  /// Of panels that tell some figures apart by storefront alone, these.
  @Test(arguments: seeds(40, sanitized: 3)) func theStoreComparesAsTheLinesDo(_ seed: UInt64) throws {
    let shelf = try shelf(seed)
    let population = try shelf.store.population()
    var random = Seeded(seed &+ 8)
    let comparison = Comparison.storefronts(Self.codes[0], Self.codes[1])
    for panel in Panel.allCases where panel.comparesStorefronts {
      let question = question(panel, seed, &random)
      func compared(_ report: (Question) throws -> Report) rethrows -> ComparedReports {
        ComparedReports(
          comparison, try report(comparison.this(question)), try report(comparison.that(question)),
          firstPurchase: day(0))
      }
      let stored = try compared { try shelf.store.report($0) }
      #expect(stored.figures == compared(population.report).figures, "\(question)")
    }
  }

  /// The storefronts of a figure add up to it, and each opens into its rows.
  @Test(arguments: seeds(80, sanitized: 3)) func partsAddUpAndOpen(_ seed: UInt64) throws {
    let shelf = try shelf(seed)
    var random = Seeded(seed &+ 6)
    let active = question(.active, seed, &random)
    guard case .active(let figures) = try shelf.store.report(active).data else { return }
    if !figures.byStorefront.isEmpty {
      #expect(figures.byStorefront.reduce(0) { $0 + $1.paid } == figures.paid)
      #expect(figures.byStorefront.reduce(0) { $0 + $1.trial } == figures.trial)
    }
    for part in figures.byStorefront {
      let rows = try rows(behind: "\(part.path).paid", active, shelf)
      #expect(rows.count == part.paid && rows.allSatisfy { $0.storefront == part.storefront })
      let revenue = try self.rows(behind: "\(part.path).mrr", active, shelf)
      #expect(Amounts(revenue.compactMap(\.amount)).totals == part.mrr.totals)
    }
    let overview = question(.overview, seed, &random)
    guard case .overview(let all) = try shelf.store.report(overview).data else { return }
    let parts = all.sales.byStorefront
    if !parts.isEmpty {
      #expect(parts.reduce(0) { $0 + $1.transactions } == all.sales.transactions)
      #expect(parts.reduce(into: Amounts()) { $0.add($1.amount) }.totals == all.sales.amount.totals)
    }
    for part in parts {
      let rows = try rows(behind: "\(part.path).transactions", overview, shelf)
      #expect(rows.count == part.transactions && rows.allSatisfy { $0.storefront == part.storefront })
      let sold = try self.rows(behind: "\(part.path).amount", overview, shelf)
      #expect(Amounts(sold.compactMap(\.amount)).totals == part.amount.totals)
      let proceeds = try self.rows(behind: "\(part.path).proceeds", overview, shelf)
      #expect(Amounts(proceeds.compactMap(\.proceeds)).totals == part.proceeds.totals)
    }
  }

  private func rows(behind figure: String, _ question: Question, _ shelf: Shelf) throws -> [FigureRow] {
    let path = try #require(FigurePath(figure, of: question.panel))
    return try shelf.store.rows(behind: question.narrowed(to: path), figure: path.name).rows
  }

  @Test(arguments: seeds(20, sanitized: 3)) func aRebuildChangesNothing(_ seed: UInt64) throws {
    let shelf = try shelf(seed)
    let derived = ["transactions", "lines", "spans", "events", "sums", "cohort_sums"]
    let before = try derived.map { try shelf.table($0) }
    try shelf.store.rebuild()
    #expect(try derived.map { try shelf.table($0) } == before)
  }

  /// The periods bought so far, by who says their price.
  @Test func statusTellsWhoPrices() throws {
    let shelf = try Shelf()
    let named: [(id: String, from: Int, product: String, isSigned: Bool)] = [
      ("1", 0, "monthly", true), ("2", 30, "monthly", false), ("3", 60, "unlisted", false),
    ]
    let rows = named.map { one in
      monthly(one.id, one.from, one.from + 30) {
        $0.productID = ProductID(one.product)
        guard one.isSigned else { return }
        var terms = SignedTerms(signedAt: day(70))
        terms.price = Money(micros: 5_000_000, currency: CurrencyCode("EUR"))
        (terms.pricedAt, terms.pricedSince) = (day(70), day(70))
        $0.terms = terms
      }
    }
    _ = try shelf.store.add(
      [
        ImportedAnswer(
          answer: Answer(
            environment: .production, bundleID: BundleID("app"), requestDate: day(71), transactions: rows),
          status: 0, observedAt: day(71))
      ], at: day(71))
    let prices = try shelf.store.status(at: day(72)).prices
    #expect(prices.signed == 1 && prices.catalogue == 1 && prices.unpriced == 1)
  }
}

extension Amounts {
  fileprivate mutating func add(_ other: Amounts) {
    for total in other.totals { add(total, Converted()) }
  }
}
