import Subscriptions
import TestSupport
import Testing

@Suite struct OfferFiguresTests {
  struct Life: CustomTestStringConvertible, Sendable {
    let name: String
    let chain: Chain
    var at = day(100)
    var days = 100
    /// Figures that are not 0, without the product's prefix.
    let counts: [String: Int]
    var cost: [Int128] = []
    var brought: [Int128] = []
    /// Balance of rows with known cost and revenue; `nil` for their difference.
    var balance: [Int128]?
    var testDescription: String { name }
  }

  private static func intro(_ id: String, _ from: Int, _ to: Int) -> Transaction {
    monthly(id, from, to) { $0.isInIntroOfferPeriod = true }
  }

  private static func promo(_ id: String, _ from: Int, _ to: Int) -> Transaction {
    monthly(id, from, to) { $0.promotionalOfferID = "SPRING" }
  }

  private static func code(_ id: String, _ from: Int, _ to: Int) -> Transaction {
    monthly(id, from, to) { $0.offerCodeRefName = "A.B" }
  }

  private static func counts(_ offer: String, _ counts: [String: Int]) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: counts.map { ("offers.\(offer).\($0)", $1) })
  }

  private static let lives: [Life] = [
    Life(
      name: "two uses, the first of which led to something without a price",
      chain: chain(
        "1", promo("1", 10, 40), code("2", 40, 70), promo("3", 70, 100), monthly("4", 100, 130)),
      at: day(110), days: 110,
      counts: counts("promo.SPRING", ["started": 2, "renewed": 1, "converted": 1, "unpriced": 1])
        .merging(counts("code.A.B", ["started": 1, "renewed": 1, "unpriced": 1])) { first, _ in first },
      cost: [10_000_000], brought: [4_990_000 + 9_990_000 + 9_990_000, 4_990_000 + 9_990_000],
      balance: [9_990_000 - 5_000_000]),
    Life(
      name: "turned off, ends this week", chain: choices([(5, true), (10, false)]), at: day(23),
      counts: ["opt_outs.turned_off": 1, "opt_outs.running": 1, "opt_outs.at_stake": 1]),
    Life(
      name: "asked, and no longer asked", chain: consents([(5, "0"), (10, nil)]), at: day(20),
      counts: ["price_increases.asked": 1, "price_increases.lapsed": 1]),
    Life(
      name: "asked, renewed, and no longer asked",
      chain: .make(
        [monthly("1", 0, 30), monthly("2", 30, 60)],
        infos: [.make(at: day(5), .make(consent: "0")), .make(at: day(31), .make())]), at: day(40),
      counts: ["price_increases.asked": 1, "price_increases.agreed": 1]),
    Life(
      name: "asked and no longer asked, and said to be asked once it has ended",
      chain: consents([(5, "0"), (10, nil), (31, "0")]), at: day(40),
      counts: ["price_increases.asked": 1, "price_increases.lapsed": 1]),
  ]

  private static func choices(_ seen: [(Int, Bool)], _ more: Transaction...) -> Chain {
    .make(
      [monthly("1", 0, 30)] + more,
      infos: seen.map { .make(at: day($0.0), .make(autoRenew: $0.1)) })
  }

  private static func consents(_ seen: [(Int, String?)]) -> Chain {
    .make([monthly("1", 0, 30)], infos: seen.map { .make(at: day($0.0), .make(consent: $0.1)) })
  }

  @Test(arguments: lives) func became(_ life: Life) throws {
    let question = Question(panel: .offers, at: life.at, windowDays: life.days)
    let figures = EvidenceLedger.make([life.chain]).report(question).data
    var counts: [String: Int] = [:]
    for case (let path, .count(let count)) in figures.byPath where count != 0 {
      counts[path.replacing("by_product.monthly.", with: "")] = count
    }
    #expect(counts == life.counts)
    func micros(_ name: String) -> [Int128] {
      figures[parts: "offers"].flatMap { $0[amounts: name].totals.map(\.micros) }
    }
    #expect(micros("cost") == life.cost && micros("brought") == life.brought)
    let known = life.cost.isEmpty ? [] : [life.brought.reduce(0, +) - life.cost.reduce(0, +)]
    #expect(micros("balance") == life.balance ?? known)
    #expect(figures.consents.count == figures["price_increases.pending"])
    let answers = ["agreed", "running", "lapsed"].map { figures["price_increases.\($0)"] }
    #expect(figures["price_increases.asked"] == answers.reduce(0, +))
  }

  @Test func theMostUrgentFirst() throws {
    let chains = [(30, "1"), (28, "2"), (29, "3")].map { end, id in
      Chain.make(
        [monthly(id, 0, end)], id: id, infos: [.make(at: day(5), .make(chain: id, consent: "0"))],
        validated: day(20))
    }
    let figures = EvidenceLedger.make(chains).figures(.offers, at: day(20))
    #expect(figures.consents.map(\.originalTransactionId.rawValue) == ["2", "3", "1"])
    #expect(figures.consents.map(\.daysLeft) == [8, 9, 10])
    #expect(figures["opt_outs.at_stake"] == 0)
  }
}
