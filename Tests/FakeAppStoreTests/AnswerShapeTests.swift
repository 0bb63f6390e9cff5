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

  @Test func valuesOfRowsAreStringsSpeltAsApples() {
    for answer in Self.answers {
      let (rows, infos) = (
        answer["latest_receipt_info"]?.list ?? [], answer["pending_renewal_info"]?.list ?? []
      )
      let inApp = answer["receipt"]?["in_app"]?.list ?? []
      for value in (rows + infos + inApp).flatMap(\.object.values) { #expect(value.text != nil) }
      for row in rows {
        #expect(["true", "false"].contains(row["is_trial_period"]?.text))
        #expect([nil, "true"].contains(row["is_upgraded"]?.text))
      }
      for info in infos {
        #expect(["0", "1"].contains(info["auto_renew_status"]?.text))
        #expect([nil, "0", "1"].contains(info["is_in_billing_retry_period"]?.text))
      }
    }
  }

  @Test func theThreeFormsOfADateAgree() throws {
    var dates = 0
    for answer in Self.answers {
      let objects =
        [answer["receipt"] ?? .null] + (answer["latest_receipt_info"]?.list ?? [])
        + (answer["pending_renewal_info"]?.list ?? [])
      for object in objects {
        for (key, value) in object.object where key.hasSuffix("_ms") {
          let name = String(key.dropLast(3))
          let instant = try #require(value.text.flatMap(Instant.init(parsing:)))
          let local = instant + PacificTime.offset(at: instant)
          #expect(object[name]?.text == "\(instant.dateText) \(instant.clockText) Etc/GMT")
          #expect(object[name + "_pst"]?.text == "\(local.dateText) \(local.clockText) America/Los_Angeles")
          dates += 1
        }
      }
    }
    #expect(dates > 1500)
    #expect(PacificTime.offset(at: Town.now) == -7 * Milliseconds.hour)
    #expect(PacificTime.offset(at: Town.now + 180 * Milliseconds.day) == -8 * Milliseconds.hour)
  }

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
