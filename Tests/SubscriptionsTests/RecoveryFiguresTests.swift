import Subscriptions
import TestSupport
import Testing

@Suite struct RecoveryFiguresTests {
  struct Life: CustomTestStringConvertible, Sendable {
    let name: String
    let chain: Chain
    var at = day(100)
    var days = 90
    /// Figures that are not 0.
    let counts: [String: Int]
    var testDescription: String { name }
  }

  /// Month from day 0 with a billing failure at its end, recovered at `back` if set.
  private static func failed(
    back: Instant? = nil, product: String = "monthly", grace: Instant? = nil, isTrial: Bool = false,
    more: [RenewalObservation] = []
  ) -> Chain {
    var rows = [isTrial ? trial("1", 0, 30) : monthly("1", 0, 30)]
    var infos = [
      RenewalObservation.make(at: day(30, hours: 6), .make(intent: .billingError, retry: true, grace: grace))
    ]
    if let back {
      rows.append(.make("2", product: product, purchase: back, expires: back + 365.days))
      infos.append(.make(at: back, .make(product: product)))
    }
    return .make(rows, infos: infos + more, validated: day(400))
  }

  private static func all(_ name: String, _ parts: [String], _ count: Int = 1) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: parts.map { ("\($0)\(name)", count) })
  }

  private static let withoutGrace = [
    "", "without_grace.outcomes.", "by_product.monthly.", "by_month.2026-01.",
  ]
  private static let curves = ["curve.", "without_grace.curve."]

  /// Counts of one line with an outcome, recovered within a number of days, in curves of these days.
  private static func expected(
    _ outcome: String, within: Int = .max, of days: [Int] = [1, 3, 7, 14, 30, 60],
    parts: [String] = withoutGrace, curves: [String] = curves
  ) -> [String: Int] {
    var counts = all("entered", parts).merging(all(outcome, parts)) { $1 }
    for day in days {
      counts.merge(all("\(day).of", curves)) { $1 }
      if within <= day { counts.merge(all("\(day).recovered", curves)) { $1 } }
    }
    return counts
  }

  private static let lives: [Life] = {
    let grace = ["", "with_grace.outcomes.", "by_product.monthly.", "by_month.2026-02."]
    return [
      Life(
        name: "paid on day 1 exactly", chain: failed(back: day(47), grace: day(46)), at: day(110),
        counts: expected("recovered", within: 1, parts: grace, curves: ["curve.", "with_grace.curve."])),
      Life(name: "paid within a day of the end", chain: failed(back: day(31)), counts: [:]),
      Life(
        name: "a millisecond later than that", chain: failed(back: day(31) + 1),
        counts: expected("recovered", within: 3)),
      Life(
        name: "on day 60", chain: failed(back: day(90)), counts: expected("recovered", within: 60)),
      Life(
        name: "after grace", chain: failed(back: day(50), grace: day(46)), at: day(110),
        counts: expected(
          "recovered", within: 7, parts: grace, curves: ["curve.", "with_grace.curve."])),
      Life(
        name: "resubscribed after 100 days", chain: failed(back: day(130)), at: day(150), days: 130,
        counts: expected("recovered")),
      Life(
        name: "not yet resubscribed", chain: failed(back: day(130)), at: day(129), days: 110,
        counts: expected("lost")),
      Life(name: "a trial's row", chain: failed(back: day(31), isTrial: true), counts: [:]),
      Life(
        name: "a trial's row, still there", chain: failed(isTrial: true), at: day(32),
        counts: ["standing.0": 1]
      ),
      Life(
        name: "the window begins when it enters", chain: failed(back: day(33)), at: day(100), days: 70,
        counts: expected("", within: 3, of: [1, 3, 7, 14, 30, 60], parts: [])),
      Life(
        name: "in the window before", chain: failed(back: day(33)), at: day(60), days: 28,
        counts: expected("", within: 3, of: [3, 7, 14, 30], parts: []).merging(["curve_before.1.of": 1]) {
          $1
        }),
      Life(
        name: "the window ends when it enters", chain: failed(back: day(33)), at: day(30), days: 10,
        counts: expected("still_retrying", of: []).merging(["standing.0": 1]) { $1 }),
      Life(
        name: "retry within a retry",
        chain: failed(more: [
          .make(at: day(35), .make(autoRenew: false, intent: .billingError, retry: true)),
          .make(at: day(38), .make(intent: .billingError, retry: true)),
        ]), at: day(40), days: 20,
        counts: expected("still_retrying", of: [1, 3, 7]).merging(["standing.7": 1]) { $1 }),
      Life(
        name: "another product", chain: failed(back: day(33), product: "yearly"),
        counts: expected("recovered", within: 3)),
      Life(name: "not yet", chain: failed(back: day(31)), at: day(30) - 1, counts: [:]),
    ]
  }()

  @Test(arguments: lives) func became(_ life: Life) throws {
    let question = Question(panel: .recovery, at: life.at, windowDays: life.days)
    let figures = EvidenceLedger.make([life.chain]).report(question).data
    var counts: [String: Int] = [:]
    for case (let path, .count(let count)) in figures.byPath where count != 0 { counts[path] = count }
    let weeks = counts.filter { $0.key.hasPrefix("by_week.") }
    #expect(counts.filter { weeks[$0.key] == nil } == life.counts)
    for name in ["entered", "recovered", "still_retrying", "lost"] {
      let ofWeeks = weeks.filter { $0.key.hasSuffix(".\(name)") }.values.reduce(0, +)
      #expect(ofWeeks == (life.days <= 92 ? counts[name] ?? 0 : 0), "\(name)")
    }
  }

  /// 2026-01-26 is a Monday. Weeks are reported for windows of at most 92 days, which fit a screen.
  @Test(
    arguments: [
      (day(25) - 1, 60, ["2026-01-19"]), (day(25), 60, ["2026-01-26"]), (day(32) - 1, 92, ["2026-01-26"]),
      (day(25), 93, []),
    ] as [(Instant, Int, [String])])
  func isOfItsWeek(_ entered: Instant, _ days: Int, _ weeks: [String]) throws {
    let chain = Chain.make(
      [.make("1", purchase: day(0), expires: entered)],
      infos: [.make(at: entered + 1, .make(intent: .billingError, retry: true))], validated: day(50))
    let question = Question(panel: .recovery, at: day(50), windowDays: days)
    let figures = EvidenceLedger.make([chain]).report(question).data
    #expect(figures["entered"] == 1 && figures[parts: "by_month"].count == 1)
    let told = figures[parts: "by_week"]
    #expect(told.map { $0[text: "week"] } == weeks)
    #expect(told.allSatisfy { $0["outcomes.entered"] == 1 && $0["outcomes.still_retrying"] == 1 })
  }

  @Test func revenue() throws {
    let chains = [
      Self.failed(back: day(33)),
      Chain.make(
        [row("yearly", "3", -335, 30)], id: "2",
        infos: [.make(at: day(30, hours: 6), .make(product: "yearly", retry: true))], validated: day(31)),
    ]
    let figures = EvidenceLedger.make(chains).figures(.recovery, at: day(35))
    #expect(figures[amounts: "mrr.entered"].totals.map(\.micros) == [9_990_000 + 4_999_167])
    #expect(figures[amounts: "mrr.recovered"].totals.map(\.micros) == [9_990_000])
    #expect(figures[amounts: "mrr.still_retrying"].totals.map(\.micros) == [4_999_167])
    #expect(figures[parts: "standing"].map { $0["lines"] } == [0, 1, 0, 0, 0])
    #expect(figures[parts: "standing"][1][amounts: "mrr"].totals.map(\.micros) == [4_999_167])
    #expect(figures[parts: "curve"].map { $0[share: "rate"] } == [0, 0.5, nil, nil, nil, nil])
    let trend = EvidenceLedger.make(chains).report(Question(panel: .recovery, at: day(35))).trend
    #expect(trend.series("entered")?.values.compactMap(\.self).reduce(0, +) == 2)
  }
}
