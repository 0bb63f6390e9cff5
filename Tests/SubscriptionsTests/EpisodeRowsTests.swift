import Subscriptions
import TestSupport
import Testing

@Suite struct EpisodeRowsTests {
  @Test(arguments: seeds(150)) func everyFigureIsItsRows(_ seed: UInt64) throws {
    let population = Population.generated(seed)
    for panel in [Panel.recovery, .offers] {
      for (days, end) in [(28, 60), (28, 130), (90, 200), (365, 300)] {
        let question = Question(panel: panel, at: day(end, hours: 5), windowDays: days, limit: .max)
        for (path, value) in population.report(question).data.byPath {
          let figure = try #require(FigurePath(path, of: panel), "\(path)")
          let rows = population.rows(question.narrowed(to: figure), figure: figure.name).rows
          let place: Comment = "\(path), \(days) days to day \(end)"
          switch value {
          case .count(let count): #expect(rows.count == count, place)
          case .amount(let amounts):
            #expect(Amounts(rows.compactMap(\.amount)).totals == amounts.totals, place)
          }
          #expect(rows.allSatisfy { !$0.why.isEmpty })
        }
      }
    }
  }

  /// Outcomes add up to the episodes, and parts by grace, product and month to the whole.
  @Test(arguments: seeds(150)) func partsAddUp(_ seed: UInt64) throws {
    let population = Population.generated(seed)
    for (days, end) in [(28, 60), (90, 200), (365, 300)] {
      let recovery = try #require(population.figures(.recovery, at: day(end, hours: 5), days: days).recovery)
      #expect(recovery.recovered + recovery.stillRetrying + recovery.lost == recovery.entered)
      for parts in [
        [recovery.withGrace.outcomes, recovery.withoutGrace.outcomes], recovery.byProduct.map(\.outcomes),
        recovery.byMonth.map(\.outcomes),
      ] {
        #expect(parts.reduce(0) { $0 + $1.entered } == recovery.entered)
        #expect(parts.reduce(0) { $0 + $1.recovered } == recovery.recovered)
        #expect(parts.reduce(0) { $0 + $1.stillRetrying } == recovery.stillRetrying)
        #expect(parts.reduce(0) { $0 + $1.lost } == recovery.lost)
      }
      let retry = try #require(
        population.figures(.billingRetry, at: day(end, hours: 5), days: days).billingRetry)
      #expect(recovery.standing.reduce(0) { $0 + $1.lines } == retry.lines)
      let offers = try #require(population.figures(.offers, at: day(end, hours: 5), days: days).offers)
      for offer in offers.offers {
        #expect(offer.running + offer.converted + offer.renewed + offer.lost == offer.started)
      }
      let optOuts = offers.optOuts
      #expect(optOuts.turnedOnAgain + optOuts.lapsed + optOuts.running == optOuts.turnedOff)
    }
  }
}
