import Subscriptions
import TestSupport
import Testing

@Suite struct MovementTests {
  /// An instant before, at and after everything that could matter, and some between.
  private static func instants(of chain: Chain, seed: UInt64) -> [Instant] {
    var random = Seeded(seed)
    let ends = chain.transactions.flatMap { row in
      [row.purchaseDate, row.expiresDate, row.cancellationDate].compactMap(\.self)
    }
    let later = ends.flatMap { [$0, $0 + 1.days, $0 + 60.days] } + chain.validations
    return later.flatMap { [$0 - 1, $0, $0 + 1, $0 + Int64.random(in: 0...5_000_000_000, using: &random)] }
  }

  @Test(arguments: 0..<400) func isWhatTheDefinitionSays(_ seed: UInt64) {
    let chain = Chain.generated(seed)
    for line in chain.lines(catalog: .usual) {
      let (timeline, reference) = (line.timeline, ReferencePosition(line: line))
      for t in Self.instants(of: chain, seed: seed) {
        #expect(timeline.position(at: t) == reference.position(at: t), "\(line.id), \(t)")
      }
    }
  }

  /// Else the others would hold of nothing.
  @Test func generatedLinesGoThroughEveryStateAndFlow() {
    let lives = (0..<400).flatMap { Chain.generated($0).lines(catalog: .usual) }.map(LineLife.init)
    let states = Set(lives.flatMap { $0.timeline.spans.map(\.position.state) })
    let flows = Set(lives.flatMap { $0.changes.compactMap(\.flow) })
    #expect(states == Set(LineState.allCases))
    #expect(flows == Set(Flow.allCases))
  }

  @Test(arguments: 0..<400) func addsUpForEveryWindow(_ seed: UInt64) {
    let chains = (0..<5).map { Chain.generated(seed * 5 + $0) }
    let lives = chains.flatMap { $0.lines(catalog: .usual) }.map(LineLife.init)
    for days in [1, 7, 28, 90, 365] {
      for end in stride(from: 0, to: 400, by: 23) {
        let figures = MovementFigures(lives, in: Window(days: days, upTo: day(end, hours: 5)))
        #expect(figures.subscribers.addsUp, "\(figures.subscribers), \(days) days to day \(end)")
        #expect(figures.trials.addsUp, "\(figures.trials), \(days) days to day \(end)")
        #expect(figures.billingRetry.addsUp, "\(figures.billingRetry), \(days) days to day \(end)")
        for (currency, mrr) in figures.mrr {
          #expect(mrr.addsUp, "\(currency) \(mrr), \(days) days to day \(end)")
        }
      }
    }
  }
}
