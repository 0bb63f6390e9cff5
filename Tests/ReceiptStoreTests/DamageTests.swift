import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct DamageTests {
  @Test(arguments: [
    "DELETE FROM transaction_shapes WHERE id % 2 = 0", "DELETE FROM event_shapes WHERE id % 2 = 0",
    "UPDATE transaction_rows SET line_id = 99999 WHERE line_id IS NOT NULL",
    "UPDATE spans SET current_id = 99999", "UPDATE spans SET renewal_info_id = 99999",
  ])
  func reportsDanglingReferences(_ damage: String) throws {
    let shelf = try Shelf()
    try shelf.live(World(seed: 3))
    let now = day(90)
    #expect(try shelf.store.status(at: now, check: true).integrity == "ok")
    try shelf.write(damage)
    let said = try shelf.store.status(at: now, check: true).integrity
    #expect(said?.contains("rows refer to missing rows") == true, "\(said ?? "nothing")")
  }

  @Test func anAbsurdValidationIsOld() throws {
    let shelf = try Shelf()
    try shelf.live(World(seed: 3))
    try shelf.write("UPDATE chains SET validated_at_ms = -9223372036854775808")
    #expect(try shelf.store.status(at: day(1), withQueue: true).queue != nil)
  }

  struct Sums: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let panel: Panel
    /// Whether `status --check` must find the damage.
    var isFound = false
    let damage: @Sendable (Shelf) throws -> Void
  }

  private static func numbered(_ number: Int64) -> Sums {
    Sums(testDescription: "of the class \(number)", panel: .overview) {
      try $0.changeSums(of: 1) { $0.kind = number }
    }
  }

  private static func packed(_ bytes: [UInt8]) -> Sums {
    let blob = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return Sums(testDescription: "packed as \(blob)", panel: .churn, isFound: true) {
      try $0.write("UPDATE sums SET packed = x'\(blob)' WHERE series = 7")
    }
  }

  @Test(
    arguments: [9_000_000_000_000, .max, -1, 0].map(numbered)
      + [[0x80], [1], [1, 2, 2], [0, 2, 2, 2], Array(repeating: 0xff, count: 40)].map(packed) + [
        Sums(testDescription: "of cohorts", panel: .cohorts) {
          try $0.changeSums(of: 1000) { $0.kind = 9_000_000_000_000 }
        }
      ])
  func aRebuildRepairsUnreadableSums(_ sums: Sums) throws {
    let shelf = try Shelf()
    try shelf.live(World(seed: 3))
    let question = Question(panel: sums.panel, at: day(90), environment: .all)
    let before = try shelf.store.report(question)
    try sums.damage(shelf)
    #expect(throws: StoreError.self) { try shelf.store.report(question) }
    if sums.isFound { #expect(try shelf.store.status(at: .distantFuture, check: true).integrity != "ok") }
    try shelf.store.rebuild()
    #expect(try shelf.store.report(question) == before)
  }
}
