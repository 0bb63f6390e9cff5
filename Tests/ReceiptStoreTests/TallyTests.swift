import GRDB
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// What one commit adds to the tallies, where it tells of a chain several times.
@Suite struct TallyTests {
  struct Told: CustomTestStringConvertible {
    let name: String
    /// `A` and `B` differ in what they say of auto-renew.
    let answers: String
    var testDescription: String { name }
  }

  private static let row = monthly("1", 0, 31)

  private static func answer(_ letter: Character, _ place: Int) -> ImportedAnswer {
    var info = RenewalInfo()
    info.originalTransactionID = row.originalTransactionID
    info.productID = row.productID
    info.autoRenewStatus = letter == "A"
    let t = day(10, hours: Int64(place) * 10)
    return ImportedAnswer(
      answer: makeAnswer(at: t, row, infos: [info]), status: 0, appUserID: AppUserID("u"), observedAt: t)
  }

  @Test(arguments: [
    Told(name: "again and then something else", answers: "AAB"),
    Told(name: "twice again", answers: "AABB"),
    Told(name: "to and fro", answers: "ABAABBA"),
    Told(name: "again alone", answers: "AAA"),
  ])
  func aChainSeveralTimesInOneCommit(_ told: Told) throws {
    let shelf = try Shelf()
    let answers = told.answers.enumerated().map { Self.answer($1, $0) }
    for count in [1, answers.count] {
      _ = try shelf.store.add(Array(answers.prefix(count)), at: day(20))
      _ = try shelf.store.add(Array(answers.dropFirst(count)), at: day(20))
    }
    let last = day(10, hours: Int64(answers.count - 1) * 10)
    #expect(try shelf.store.report(Question(panel: .active, at: last)).trust.fresh24h == 1)
    let before = try shelf.table("tallies")
    try shelf.store.rebuild()
    #expect(try shelf.table("tallies") == before)
  }

  /// So much money in one place that its sum does not fit: then every line is looked at, and nothing fails.
  @Test func amountsThatDoNotFitAreLeftOut() throws {
    let shelf = try Shelf(catalog: [.make("monthly", .max / 3)])
    for number in 1...4 {
      let row = monthly("\(number)", 0, 31) { $0.originalTransactionID = OriginalTransactionID("\(number)") }
      let imported = ImportedAnswer(
        answer: makeAnswer(at: day(2), row), status: 0, appUserID: AppUserID("u\(number)"), observedAt: day(2)
      )
      _ = try shelf.store.add([imported], at: day(3))
    }
    #expect(try shelf.raw { try Bool.fetchOne($0, sql: "SELECT is_complete FROM tally_state") } == false)
    let question = Question(panel: .upgrades, at: day(3))
    let truth = try shelf.store.population().report(question)
    #expect(differences(try shelf.store.report(question), truth) == [])
  }
}
