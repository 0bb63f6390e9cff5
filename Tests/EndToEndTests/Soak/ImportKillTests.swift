import AppStore
import FakeAppStore
import Subscriptions
import TestSupport
import Testing

/// A killed import must leave whole commits, and be repeatable.
@Suite("Killed imports", .tags(.long))
struct ImportKillTests {
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case receipts, responses
    var testDescription: String { rawValue }

    func file(_ appStore: ObservedAppStore) throws -> String {
      switch self {
      case .receipts: appStore.receipts(1500)
      case .responses: try appStore.responses(300)
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func canBeMadeAgain(_ kind: Kind) async throws {
    let appStore = try await ObservedAppStore()
    let text = try kind.file(appStore)
    let quiet = try await Killing(appStore, receipts: 0)
    let began = ContinuousClock.now
    let outcome = try await imported(kind, text, by: quiet)
    try #require(outcome.ending == .code(0), "\(outcome.errors)")
    let took = Int64((ContinuousClock.now - began) / .milliseconds(1))
    let portrait = try quiet.portrait()
    var (kills, late, commits) = (0, 0, Set<Int64>())
    var random = Seeded(7)
    for _ in 0..<max(SoakSize.kills / 4, 2) {
      let life = try await Killing(appStore, receipts: 0)
      let file = try life.subtop.file("import", text)
      let killed = try await life.importKilled(
        kind.rawValue, file, after: Int64.random(in: 0...took, using: &random))
      (kills, late) = (kills + (killed ? 1 : 0), late + (killed ? 0 : 1))
      commits.insert(try life.store.number("SELECT count(*) FROM receipts"))
      try await life.isSound("\(kind) killed")
      let again = try await imported(kind, text, by: life)
      #expect(again.ending == .code(0), "\(again.errors)")
      #expect(try life.portrait().differences(from: portrait) == [])
    }
    let whole = try quiet.store.number("SELECT count(*) FROM receipts")
    // Receipts are committed in batches of 500, answers all at once.
    #expect(commits.allSatisfy { $0 == whole || (kind == .receipts ? $0.isMultiple(of: 500) : $0 == 0) })
    print(
      "killed imports of \(kind): \(kills) (\(late) more had ended before), which left \(commits.sorted()) of \(whole) "
        + "receipts; all whole when imported again")
  }

  private func imported(_ kind: Kind, _ text: String, by life: Killing) async throws -> Outcome {
    try await life.subtop.run("import", kind.rawValue, try life.subtop.file("import", text))
  }
}

extension ObservedAppStore {
  func responses(_ count: Int) throws -> String {
    var lines: [String] = []
    for handed in server.store.receipts(at: clock.now) {
      guard lines.count < count else { break }
      guard let user = handed.appUserID else { continue }
      let request = VerifyReceiptBody(handed.receipt.base64, password: server.store.sharedSecret)
      let answer = try server.store.answer(to: request.json, endpoint: .production, at: clock.now).body
      guard try VerifyReceiptResponse(decoding: answer, from: .production).answer != nil else { continue }
      // Apple's answers have several lines.
      let line = String(decoding: answer.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      lines.append("{\"app_user_id\":\"\(user)\",\"response\":\(line)}\n")
    }
    return lines.joined()
  }
}
