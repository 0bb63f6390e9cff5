import Subscriptions
import TestSupport
import Testing

@Suite struct EpisodeRowsTests {
  @Test(arguments: seeds(150)) func everyFigureIsItsRows(_ seed: UInt64) throws {
    let population = EvidenceLedger.generated(seed)
    for panel in [Panel.recovery, .offers] {
      for (days, end) in [(28, 60), (28, 130), (90, 200), (365, 300)] {
        let question = Question(panel: panel, at: day(end, hours: 5), windowDays: days, limit: .max)
        var figures = population.report(question).data
        let campaigns = Dictionary(grouping: figures[parts: "offers"]) { $0[text: "offer"] }
        figures[parts: "offers"] += campaigns.filter { $0.key != nil }.values.map(FigureValues.total)
        for (path, value) in figures.byPath {
          let figure = try #require(FigurePath(path, of: panel), "\(path)")
          let rows = population.rows(question.narrowed(to: figure), figure: figure.name).rows
          let place: Comment = "\(path), \(days) days to day \(end)"
          switch value {
          case .count(let count): #expect(rows.count == count, place)
          case .amounts(let amounts):
            #expect(Amounts(rows.compactMap(\.amount)).totals == amounts.totals, place)
          default: break
          }
          #expect(rows.allSatisfy { !$0.why.isEmpty })
        }
      }
    }
  }

  @Test(arguments: seeds(150)) func partsAddUp(_ seed: UInt64) throws {
    let population = EvidenceLedger.generated(seed)
    for (days, end) in [(28, 60), (90, 200), (365, 300)] {
      let recovery = population.figures(.recovery, at: day(end, hours: 5), days: days)
      let outcomes = ["recovered", "still_retrying", "lost"]
      #expect(outcomes.reduce(0) { $0 + recovery[$1] } == recovery["entered"])
      for name in outcomes + ["entered"] {
        let byGrace = ["with", "without"].map { recovery["\($0)_grace.outcomes.\(name)"] }
        #expect(byGrace.reduce(0, +) == recovery[name])
        for list in ["by_product", "by_month"] {
          #expect(recovery[parts: list].reduce(0) { $0 + $1["outcomes.\(name)"] } == recovery[name])
        }
      }
      let retry = population.figures(.billingRetry, at: day(end, hours: 5), days: days)
      #expect(recovery[parts: "standing"].reduce(0) { $0 + $1["lines"] } == retry["lines"])
      let offers = population.figures(.offers, at: day(end, hours: 5), days: days)
      for offer in offers[parts: "offers"] {
        let ends = ["running", "converted", "renewed", "lost"]
        #expect(ends.reduce(0) { $0 + offer[$1] } == offer["started"])
      }
      let optOuts = ["turned_on_again", "lapsed", "running"].map { offers["opt_outs.\($0)"] }
      #expect(optOuts.reduce(0, +) == offers["opt_outs.turned_off"])
    }
  }

  @Test(arguments: ["brought", "balance"])
  func laterRevenueIsDatedByItsPurchases(_ figure: String) {
    let population = EvidenceLedger.make([
      .make([trial("1", 0, 7), monthly("2", 7, 37), monthly("3", 37, 67)])
    ])
    let question = Question(panel: .offers, at: day(60), windowDays: 90, limit: .max)
    let rows = population.rows(question, figure: "offers.trial.\(figure)").rows
    #expect(rows.map(\.at).prefix(2) == [day(37), day(7)])
    #expect(rows.dropFirst(2).allSatisfy { $0.at == day(0) })
  }

  @Test func entriesHaveATrend() {
    let failing = RenewalObservation.make(at: day(30, hours: 6), .make(intent: .billingError, retry: true))
    let population = EvidenceLedger.make([.make([monthly("1", 0, 30)], infos: [failing], validated: day(31))])
    let trend = population.report(Question(panel: .recovery, at: day(35))).trend
    #expect(trend.series("entered")?.values.compactMap(\.self).reduce(0, +) == 1)
  }

  @Test func theMostUrgentConsentComesFirst() {
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
