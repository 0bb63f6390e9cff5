import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct SuggestionTests {
  private static func shelf() throws -> Shelf {
    let shelf = try Shelf()
    let users = ["user-001291", "user-001292", "anna_b%c", "Zoë"] + (0..<30).map { "guest-\($0)" }
    let answers = users.enumerated().map { number, user in
      let id = "\(310_000 + number)"
      let row = monthly("\(77_000 + number)", -7, 21) {
        $0.originalTransactionID = OriginalTransactionID(id)
        $0.webOrderLineItemID = WebOrderLineItemID("\(99_500 + number)")
      }
      return ImportedAnswer(
        answer: makeAnswer(at: day(10), row), status: 0, appUserID: AppUserID(user), observedAt: day(10))
    }
    _ = try shelf.store.add(answers, at: day(10))
    return shelf
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let typed: String
    let found: [IDSuggestion]
    var testDescription: String { typed }
  }

  @Test(arguments: [
    Case(
      typed: "user-0012",
      found: [IDSuggestion(.appUser, "user-001291"), IDSuggestion(.appUser, "user-001292")]),
    Case(typed: "1292", found: [IDSuggestion(.appUser, "user-001292")]),
    Case(typed: "usr1292", found: [IDSuggestion(.appUser, "user-001292")]),
    Case(typed: "USER-001291", found: [IDSuggestion(.appUser, "user-001291")]),
    Case(typed: "b%", found: [IDSuggestion(.appUser, "anna_b%c")]),
    Case(typed: "a_b", found: [IDSuggestion(.appUser, "anna_b%c")]),
    Case(typed: "310001", found: [IDSuggestion(.originalTransaction, "310001")]),
    Case(typed: "0002", found: [IDSuggestion(.originalTransaction, "310002")]),
    Case(typed: "77003", found: [IDSuggestion(.transaction, "77003")]),
    Case(typed: "9950", found: (0..<10).map { IDSuggestion(.order, "\(99_500 + $0)") }),
    // Scattered digits would match most ids, so they match nothing.
    Case(typed: "3102", found: []), Case(typed: "u1292", found: [IDSuggestion(.appUser, "user-001292")]),
    Case(typed: "u1192", found: []), Case(typed: "12u", found: []),
    Case(typed: "nosuch", found: []), Case(typed: "", found: []), Case(typed: "0", found: []),
  ])
  func parts(_ one: Case) throws {
    let shelf = try Self.shelf()
    let answer = try shelf.store.suggestions(for: one.typed, patience: .seconds(600)) { true }
    #expect(answer.isComplete)
    #expect(Array(answer.found.prefix(one.found.count)) == one.found)
    if one.found.isEmpty { #expect(answer.found.isEmpty) }
  }

  @Test func namesComeFirst() throws {
    let shelf = try Shelf()
    let answers = (0..<30).map { number in
      let row = monthly("\(77_000 + number)", -7, 21) {
        $0.originalTransactionID = OriginalTransactionID("\(310_000 + number)")
        $0.appAccountToken = "c\(100 + number)e7a1-0000"
        if number == 7 { $0.offerCodeRefName = "CAMPUS" }
      }
      return ImportedAnswer(
        answer: makeAnswer(at: day(10), row), status: 0, appUserID: AppUserID("carl-\(number)"),
        observedAt: day(10))
    }
    _ = try shelf.store.add(answers, at: day(10))
    for typed in ["c", "C", "ca"] {
      let found = try shelf.store.suggestions(for: typed, patience: .seconds(600)) { true }.found
      #expect(found.first == IDSuggestion(.offer, "CAMPUS") && found.count == 12, "\(typed): \(found)")
    }
  }

  @Test func areFewAndSoon() throws {
    let shelf = try Self.shelf()
    let many = try shelf.store.suggestions(for: "guest", limit: 5) { true }
    #expect(many.found.count == 5)
    let hurried = try shelf.store.suggestions(for: "1292", patience: .zero) { true }
    #expect(hurried.found.isEmpty && !hurried.isComplete)
    let left = try shelf.store.suggestions(for: "1292", patience: .seconds(600)) { false }
    #expect(!left.isComplete)
  }

  @Test(arguments: seeds(20, sanitized: 5))
  func leadSomewhere(_ seed: UInt64) throws {
    let shelf = try Shelf()
    let world = World(seed: seed)
    try shelf.live(world)
    let question = Question(
      panel: .offers, at: world.days.last ?? day(100), windowDays: 4000, environment: .all)
    let used = try shelf.store.report(question).data[parts: "offers"]
    let offers = Set(used.compactMap { $0[text: "offer"] })
    for typed in ["1", "2", "u", "a", "0"] {
      for suggestion in try shelf.store.suggestions(for: typed, while: { true }).found {
        if suggestion.kind == .offer {
          #expect(offers.contains(suggestion.id))
        } else {
          #expect(try !shelf.store.chains(matching: suggestion.id, at: day(100)).isEmpty, "\(suggestion)")
        }
      }
    }
  }
}
