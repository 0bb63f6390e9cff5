import AppStore
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent, "../shared/corpus is not beside the repository"))
struct CorpusTests {
  /// Real answers end in a store whose panels say what the domain says.
  @Test func realAnswersAreIngested() throws {
    let shelf = try Shelf(catalog: [])
    var (ingested, refused) = (0, 0)
    for file in Corpus.files(kind: "a") {
      guard let bytes = Corpus.bytes(of: file), let kept = try? KeptResponse(decoding: bytes),
        let answer = kept.response.answer
      else {
        refused += 1
        continue
      }
      let imported = ImportedAnswer(
        answer: answer, status: kept.response.status.rawValue, appUserID: kept.appUserID)
      let summary = try shelf.store.add([imported], at: day(0))
      ingested += summary.refused.isEmpty ? 1 : 0
      refused += summary.refused.count
      for refusal in summary.refused { print("  refused \(file): \(refusal.reason)") }
    }
    let products = try shelf.store.population().lines.flatMap { $0.rows.map(\.productID.rawValue) }
    _ = try shelf.store.add(Set(products).map { CatalogEntry.make($0, 9_990_000) })
    try compare(shelf)
    let lines = try shelf.store.population().lines
    print("corpus: \(ingested) answers ingested, \(refused) refused or without data; \(lines.count) lines")
    #expect(ingested > 50)
    #expect(lines.contains { $0.rows.contains { $0.upgrade != nil } })
    #expect(try shelf.store.status(at: day(0), check: true).integrity == "ok")
  }

  private func compare(_ shelf: Shelf) throws {
    let population = try shelf.store.population()
    for panel in Panel.allCases {
      for t in [day(-4000), day(-2500), day(-1800), day(-1500), day(-1000), day(0)] {
        for environment in EnvironmentScope.allCases {
          let question = Question(panel: panel, at: t, windowDays: 400, environment: environment)
          let found = differences(try shelf.store.report(question), population.report(question))
          #expect(found == [], "\(question)")
        }
      }
    }
  }
}
