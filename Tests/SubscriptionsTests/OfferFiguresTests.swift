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
      name: "trial, then paid", chain: chain("1", trial("1", 10, 17), monthly("2", 17, 47)),
      counts: counts("trial", ["started": 1, "converted": 1]), cost: [9_990_000], brought: [9_990_000]),
    Life(
      name: "trial that runs", chain: chain("1", trial("1", 95, 102)),
      counts: counts("trial", ["started": 1, "running": 1]), cost: [9_990_000]),
    Life(
      name: "trial that is about to be paid", chain: chain("1", trial("1", 95, 102), monthly("2", 102, 132)),
      counts: counts("trial", ["started": 1, "running": 1]), cost: [9_990_000]),
    Life(
      name: "trial that ended", chain: chain("1", trial("1", 90, 97)),
      counts: counts("trial", ["started": 1, "lost": 1]), cost: [9_990_000]),
    Life(
      name: "offer code, then the standard price, without a price itself",
      chain: chain("1", code("1", 10, 40), monthly("2", 40, 70), monthly("3", 70, 100)),
      counts: counts("code.A.B", ["started": 1, "converted": 1, "unpriced": 1]),
      brought: [19_980_000], balance: []),
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
      name: "offer renewed as an offer",
      chain: chain("1", promo("1", 10, 40), promo("2", 40, 70), monthly("3", 70, 100)),
      counts: counts("promo.SPRING", ["started": 2, "renewed": 1, "converted": 1]), cost: [10_000_000],
      // Revenue after the first offer includes both later rows, after the second only the third.
      brought: [4_990_000 + 9_990_000 + 9_990_000]),
    Life(
      name: "refund of an offer", chain: chain("1", refunded(intro("1", 90, 120), at: day(95))),
      counts: counts("intro", ["started": 1, "lost": 1]), cost: [8_000_000]),
    Life(
      name: "bought before the window", chain: chain("1", intro("1", 0, 30), monthly("2", 30, 60)),
      counts: [:]),
    Life(
      name: "auto-renew turned off and on again",
      chain: choices([(5, true), (10, false), (20, true)]),
      counts: ["opt_outs.turned_off": 1, "opt_outs.turned_on_again": 1]),
    Life(
      name: "turned off twice", chain: choices([(5, true), (10, false), (20, true), (25, false)]),
      counts: ["opt_outs.turned_off": 2, "opt_outs.turned_on_again": 1, "opt_outs.lapsed": 1]),
    Life(
      name: "turned off, still running", chain: choices([(5, true), (10, false)]), at: day(20),
      counts: ["opt_outs.turned_off": 1, "opt_outs.running": 1]),
    Life(
      name: "turned off, ends this week", chain: choices([(5, true), (10, false)]), at: day(23),
      counts: ["opt_outs.turned_off": 1, "opt_outs.running": 1, "opt_outs.at_stake": 1]),
    Life(
      name: "turned off, but renewed", chain: choices([(5, true), (10, false)], monthly("2", 30, 60)),
      counts: ["opt_outs.turned_off": 1, "opt_outs.turned_on_again": 1]),
    Life(name: "off from the start", chain: choices([(5, false)]), at: day(20), counts: [:]),
    Life(
      name: "asked, and not answered", chain: consents([(5, nil), (10, "0")]), at: day(20),
      counts: ["price_increases.asked": 1, "price_increases.running": 1, "price_increases.pending": 1]),
    Life(
      name: "asked, and ended unanswered", chain: consents([(10, "0")]), at: day(31),
      counts: ["price_increases.asked": 1, "price_increases.lapsed": 1]),
    Life(
      name: "asked, and cancelled before it ended",
      chain: .make(
        [monthly("1", 0, 30)],
        infos: [
          .make(at: day(5), .make(consent: "0")),
          .make(at: day(31), .make(autoRenew: false, intent: .customerCancelled, consent: "0")),
        ]), at: day(40), counts: ["price_increases.asked": 1, "price_increases.lapsed": 1]),
    Life(
      name: "asked, no longer asked, and asked again",
      chain: consents([(5, "0"), (10, nil), (15, "0")]), at: day(20),
      counts: ["price_increases.asked": 1, "price_increases.running": 1, "price_increases.pending": 1]),
    Life(
      name: "asked, no longer asked, and agreed", chain: consents([(5, "0"), (10, nil), (15, "1")]),
      at: day(20),
      counts: ["price_increases.asked": 1, "price_increases.agreed": 1]),
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
    Life(
      name: "asked before the window", chain: consents([(5, "0")]), at: day(20), days: 10,
      counts: ["price_increases.pending": 1]),
    Life(
      name: "agreed", chain: consents([(5, nil), (10, "0"), (15, "1")]), at: day(20),
      counts: ["price_increases.asked": 1, "price_increases.agreed": 1]),
    Life(
      name: "agreed when first seen", chain: consents([(5, "1")]), at: day(20),
      counts: ["price_increases.asked": 1, "price_increases.agreed": 1]),
    Life(
      name: "lost over it",
      chain: .make(
        [monthly("1", 0, 30)],
        infos: [
          .make(at: day(5), .make(consent: "0")),
          .make(at: day(31), .make(autoRenew: false, intent: .customerDidNotConsentToPriceIncrease)),
        ]),
      counts: ["price_increases.asked": 1, "price_increases.lapsed": 1, "price_increases.lost": 1]),
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
