import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct StorefrontTests {
  private func question(_ panel: Panel, _ lived: LivedWorld, _ random: inout Seeded) -> Question {
    let last = lived.last
    return Question(
      panel: panel, at: random.pick(last, last + 3.hours + 5, day(Int.random(in: -60...150, using: &random))),
      windowDays: random.pick(7, 28, 400), environment: random.pick(.production, .all),
      products: random.pick([], [], [ProductID("monthly")]))
  }

  @Test(arguments: seeds(80, sanitized: 3)) func partsAddUpAndOpen(_ seed: UInt64) throws {
    let lived = try LivedWorld(seed, .signed)
    var random = Seeded(seed &+ 6)
    let active = question(.active, lived, &random)
    let figures = try lived.store.report(active).data
    let located = figures[parts: "by_storefront"]
    if !located.isEmpty {
      for name in ["paid", "trial"] { #expect(located.reduce(0) { $0 + $1[name] } == figures[name]) }
    }
    for part in located {
      let path = "by_storefront.\(part.storefront?.rawValue ?? "unknown")"
      let rows = try rows(behind: "\(path).paid", active, lived)
      #expect(rows.count == part["paid"] && rows.allSatisfy { $0.storefront == part.storefront })
      let revenue = try self.rows(behind: "\(path).mrr", active, lived)
      #expect(Amounts(revenue.compactMap(\.amount)).totals == part[amounts: "mrr"].totals)
    }
    let overview = question(.overview, lived, &random)
    let all = try lived.store.report(overview).data
    let parts = all[parts: "sales.by_storefront"]
    if !parts.isEmpty {
      #expect(parts.reduce(0) { $0 + $1["transactions"] } == all["sales.transactions"])
      let sum = parts.reduce(into: Amounts()) { $0.add($1[amounts: "amount"]) }
      #expect(sum.totals == all[amounts: "sales.amount"].totals)
    }
    for part in parts {
      let path = "sales.by_storefront.\(part.storefront?.rawValue ?? "unknown")"
      let rows = try rows(behind: "\(path).transactions", overview, lived)
      #expect(rows.count == part["transactions"] && rows.allSatisfy { $0.storefront == part.storefront })
      let sold = try self.rows(behind: "\(path).amount", overview, lived)
      #expect(Amounts(sold.compactMap(\.amount)).totals == part[amounts: "amount"].totals)
      let proceeds = try self.rows(behind: "\(path).proceeds", overview, lived)
      #expect(Amounts(proceeds.compactMap(\.proceeds)).totals == part[amounts: "proceeds"].totals)
    }
  }

  private func rows(behind figure: String, _ question: Question, _ lived: LivedWorld) throws -> [FigureRow] {
    let path = try #require(FigurePath(figure, of: question.panel))
    return try lived.store.rows(behind: question.narrowed(to: path), figure: path.name).rows
  }

  @Test func statusCountsPeriodsByPriceSource() throws {
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
