import Subscriptions
import TestSupport
import Testing

/// Every upgrade of the corpus: its successor, its instant, whether Apple confirmed it, and what came back.
@Suite("Upgrades", .enabled(if: Corpus.isPresent, "../shared/corpus is not beside the repository"))
struct ProrationTests {
  private static let price: Int64 = 1_000_000_000

  @Test(arguments: Specimen.all.filter { $0.answer != nil })
  func giveBackTheirUnusedPart(_ specimen: Specimen) throws {
    let answer = try #require(specimen.answer)
    let products = Set(answer.transactions.map(\.productID.rawValue))
    let lines = answer.lines(Catalog(products.map { .make($0, Self.price) }))
    let rows = lines.flatMap(\.rows).filter(\.transaction.isUpgraded).sorted { $0.purchase < $1.purchase }
    let name = upgradeVectors.keys.first { specimen.file.hasSuffix("__" + $0) }
    let expected = name.flatMap { upgradeVectors[$0] } ?? []
    #expect(rows.count == expected.count)
    for (row, vector) in zip(rows, expected) {
      let upgrade = try #require(row.upgrade)
      #expect(upgrade.isConfirmed == vector.isConfirmed)
      #expect(upgrade.successorProductID?.rawValue.hasSuffix(vector.successor) == true)
      #expect(upgrade.proratedRefund?.micros == vector.refundMicros)
      try isNeverLaterThanTheSuccessor(row, upgrade, among: lines.flatMap(\.rows))
    }
  }

  private func isNeverLaterThanTheSuccessor(_ row: Row, _ upgrade: Upgrade, among rows: [Row]) throws {
    let successor = try #require(rows.first { $0.id == upgrade.successorID })
    let instant = try #require(upgrade.instant)
    #expect(instant == max(row.purchase, min(row.expires, successor.purchase)))
    #expect(row.effectiveEnd == instant)
    #expect(row.isDead(at: instant))
    #expect(row.refundedAt == nil, "an upgrade is never a refund")
  }

  @Test func areAllInTheCorpus() {
    for name in upgradeVectors.keys { #expect(Specimen.airlytics(name) != nil, "\(name)") }
    let all = upgradeVectors.values.flatMap(\.self)
    print("corpus: \(all.count) upgrades, \(all.count(where: \.isConfirmed)) of them confirmed by Apple")
  }
}
