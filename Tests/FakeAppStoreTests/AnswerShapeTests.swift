import AppStore
import FakeAppStore
import Subscriptions
import TestSupport
import Testing

/// Compares the shape of verifyReceipt answers with that of Apple's.
@Suite struct AnswerShapeTests {
  static let bodies: [[UInt8]] = Town.people.prefix(120).map(\.subscriber).compactMap { subscriber in
    guard subscriber.environment == .production, subscriber.kind != .legacy else { return nil }
    let answer = Town.answer(to: Town.question(subscriber))
    return answer.status == 0 ? answer.body : nil
  }
  static let answers = bodies.map { (try? AnyJSON($0)) ?? .null }

  @Test func inAppIsOlderAndHasNoGroup() {
    var lagging = 0
    for answer in Self.answers {
      let inApp = answer["receipt"]?["in_app"]?.list ?? []
      #expect(!inApp.isEmpty)
      #expect(inApp.allSatisfy { $0["subscription_group_identifier"] == nil && $0["is_upgraded"] == nil })
      let old = Set(inApp.compactMap { $0["transaction_id"]?.text })
      let new = (answer["latest_receipt_info"]?.list ?? []).compactMap { $0["transaction_id"]?.text }
      if !Set(new).subtracting(old).isEmpty { lagging += 1 }
    }
    #expect(lagging > 10)
  }

  @Test("exclude-old-transactions leaves the newest row of each chain")
  func excludesOld() throws {
    let people = Town.people.prefix(150).filter {
      $0.subscriber.kind == .paying && $0.subscriber.accountGoneFrom == nil
        && $0.history.transactions.count > 2
    }
    #expect(people.count > 20)
    for (subscriber, history) in people {
      let body = Town.body(Town.receipt(of: subscriber), excludingOld: true)
      let rows = try AnyJSON(Town.answer(to: body).body)["latest_receipt_info"]?.list ?? []
      let chains = Dictionary(grouping: history.transactions, by: \.originalTransactionID).values
      let newest = chains.map { $0.compactMap(\.expiresDate).max()?.rawValue ?? 0 }
      #expect(rows.count == chains.count)
      #expect(Set(rows.compactMap { $0["expires_date_ms"]?.text }) == Set(newest.map { String($0) }))
    }
  }
}
