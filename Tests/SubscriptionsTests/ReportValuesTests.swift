import Subscriptions
import TestSupport
import Testing

@Suite struct ReportValuesTests {
  static let panels = Panel.allCases.filter { ![.events, .cohorts, .recovery, .offers].contains($0) }

  @Test(arguments: seeds(60), panels) func equalTheSumOfTheirRows(_ seed: UInt64, _ panel: Panel) {
    let population = EvidenceLedger.generated(seed)
    for (days, end) in [(1, 31), (28, 60), (90, 200), (365, 300)] {
      var question = Question(panel: panel, at: day(end, hours: 5), windowDays: days, limit: .max)
      question.smallBusinessProgram = SmallBusinessProgram([BundleID("app"): [.init(from: day(60))]])
      let rows = population.rows(question).rows
      #expect(rows.allSatisfy { $0.figures.allSatisfy { panel.figure($0) != nil } })
      for entry in ReportValues(population.report(question)).entries where panel.figure(entry.path) != nil {
        let place: Comment = "\(entry.path), \(days) days to day \(end)"
        let counted = rows.filter { $0.figures.contains(entry.path) }
        switch entry.value {
        case .count(let count): #expect(count == Double(counted.count), place)
        case .amount(let money):
          let amounts = counted.compactMap { entry.path == "sales.proceeds" ? $0.proceeds : $0.amount }
          #expect(money.micros == Amounts(amounts)[money.currency] ?? 0, place)
        case .share, nil: break
        }
      }
    }
  }

  /// Figures with rows must have a value, since alerts and comparisons refer to them.
  @Test(arguments: panels) func haveEveryFigure(_ panel: Panel) {
    let chains = (0..<200).map { Chain.generated($0) }
    let report = EvidenceLedger(chains, receipts: 1, catalog: .generated).report(
      Question(panel: panel, at: day(150), windowDays: 150))
    let values = ReportValues(report)
    let paths = Set(values.entries.map(\.path)).union(values.lists).union(values.amountLists)
    #expect(panel.figureNames.filter { !$0.contains("*") && !paths.contains($0) } == [])
  }

  @Test func includeTheReportingCurrency() {
    let (eur, usd) = (CurrencyCode("EUR"), CurrencyCode("USD"))
    var (figures, amount) = (FigureValues(), Amounts(in: eur))
    amount.add(Money(micros: 5, currency: usd), Converted(micros: 4))
    amount.add(Money(micros: 3, currency: eur), Converted(micros: 3))
    figures[amounts: "amount"] = amount
    var question = Question(panel: .refunds, at: day(0))
    question.reportingCurrency = eur
    let values = ReportValues(Report(answering: question, trust: Trust(), data: figures))
    let amounts = values.entries("amount")
    #expect(amounts.map(\.currency) == [eur, usd, eur])
    #expect(amounts.map(\.isConverted) == [false, false, true])
    #expect(amounts.map { $0.value?.number } == [3, 5, 7])
  }
}
