import Subscriptions
import TestSupport
import Testing

@Suite struct EvidenceLedgerTests {
  @Test(arguments: Panel.allCases, [1000, 3]) func partsAddUpToTheWhole(_ panel: Panel, _ limit: Int) {
    var random = Seeded(11)
    let chains = (0..<60 as Range<UInt64>).map { number in
      var chain = Chain.generated(number)
      chain.originalTransactionID = OriginalTransactionID("\(number)")
      return chain
    }
    let population = EvidenceLedger(chains, receipts: 60, catalog: .generated)
    for (days, end) in [(28, 100), (365, 300)] {
      let question = Question(
        panel: panel, at: day(end, hours: 5), windowDays: days, environment: .all, limit: limit)
      var parts = (0..<3).map { _ in EvidenceLedger(for: question, catalog: .generated) }
      for chain in chains.shuffled(using: &random) {
        parts[Int.random(in: parts.indices, using: &random)].add(chain)
      }
      var whole = parts.removeFirst()
      for part in parts { whole.add(part) }
      whole.receiptCount = 60
      #expect(
        differences(whole.report(question), population.report(question)) == [],
        "\(days) days to day \(end)")
    }
  }
}
