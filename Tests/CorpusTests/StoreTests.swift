import AppStore
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// Real answers through a store: its panels say what the domain says of the same chains.
@Suite("The store", .enabled(if: Corpus.isPresent, "../shared/corpus is not beside the repository"))
struct StoreTests {
  /// One answer in a store of its own: what the store knows is what the answer says.
  @Test(arguments: Specimen.all.filter { $0.answer != nil })
  func keepsOneAnswer(_ specimen: Specimen) throws {
    let answer = try #require(specimen.answer)
    let folder = TemporaryFolder()
    let store = try ReceiptStore(path: folder.file("store.sqlite"))
    let catalog = prices([answer])
    _ = try store.add(catalog)
    let summary = try store.add([imported(specimen, answer)], at: answer.now)
    #expect(summary.refused == [])

    let (kept, said) = (try store.population().lines, answer.lines(Catalog(catalog)))
    #expect(kept.map(\.id) == said.map(\.id))
    for (line, pure) in zip(kept, said) {
      #expect(line.rows.map(Facts.init) == pure.rows.map(Facts.init))
      #expect(line.verdict(at: answer.now)?.why == pure.verdict(at: answer.now)?.why)
    }
    let instants = [-400, -30, -1, 0, 1, 30, 400].map { answer.now + $0.days }
    try compare(store, at: instants, environments: [.all])
  }

  /// All of them in one store: they are of many apps, and share ids that their publishers made up.
  @Test func keepsAllAnswers() throws {
    let folder = TemporaryFolder()
    let store = try ReceiptStore(path: folder.file("store.sqlite"))
    let specimens = Specimen.all.filter { $0.answer != nil }
    let answers = specimens.compactMap(\.answer)
    _ = try store.add(prices(answers))
    for (specimen, answer) in zip(specimens, answers) {
      _ = try store.add([imported(specimen, answer)], at: day(0))
    }
    try compare(
      store, at: [-4000, -2500, -2100, -1900, -1800, -1700, -1500, -1000, 0].map { day($0) },
      environments: EnvironmentScope.allCases)
    let lines = try store.population().lines
    print("corpus: \(answers.count) answers ingested into one store, \(lines.count) lines")
    #expect(lines.contains { $0.rows.contains { $0.upgrade != nil } })
    #expect(try store.status(at: day(0), check: true).integrity == "ok")
  }

  /// What a row says, without when it was seen.
  private struct Facts: Equatable {
    var transaction: Transaction
    var duplicates: [TransactionID]
    var upgrade: Upgrade?
    var price: Price?
    var outcome: PeriodOutcome?
    var change: ChangeAtRenewal?

    init(_ row: Row) {
      transaction = row.transaction
      duplicates = row.duplicateIDs
      (upgrade, price, outcome, change) = (row.upgrade, row.price, row.outcome, row.change)
    }
  }

  private func imported(_ specimen: Specimen, _ answer: Answer) -> ImportedAnswer {
    ImportedAnswer(
      answer: answer, status: specimen.response?.status.rawValue ?? 0, observedAt: answer.now)
  }

  private func prices(_ answers: [Answer]) -> [CatalogEntry] {
    Set(answers.flatMap(\.transactions).map(\.productID.rawValue)).sorted().map { .make($0, 9_990_000) }
  }

  private func compare(_ store: ReceiptStore, at instants: [Instant], environments: [EnvironmentScope]) throws
  {
    let population = try store.population()
    for panel in Panel.allCases {
      for environment in environments {
        for t in instants {
          let question = Question(panel: panel, at: t, windowDays: 400, environment: environment)
          let (kept, pure) = (try store.report(question), population.report(question))
          #expect(differences(kept, pure) == [], "\(panel) of \(environment) at \(t.rawValue)")
        }
      }
    }
  }
}
