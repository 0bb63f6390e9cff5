import AppStore
import FakeAppStore
import Subscriptions
import Testing

@Suite struct AnswerShapeTests {
  /// Answers about a hundred people of all kinds that are answered in the modern style.
  static let bodies: [[UInt8]] = Town.people.prefix(120).compactMap { person in
    guard person.subscriber.environment == .production, person.subscriber.kind != .legacy else { return nil }
    let answer = Town.answer(Town.store.receipt(of: person.subscriber, at: Town.now).receipt.base64)
    return answer.status == 0 ? answer.body : nil
  }
  static let answers = bodies.map { (try? JSONValue($0)) ?? .null }

  @Test func beginsAndIsSpacedAsApples() {
    #expect(Self.bodies.count > 80)
    for body in Self.bodies {
      let text = String(decoding: body, as: UTF8.self)
      #expect(
        text.hasPrefix(#"{"environment":"Production", "receipt":{"receipt_type":"Production", "adam_id":"#))
      #expect(text.contains(", \n\"in_app\":[\n{\"quantity\":\"1\", \"product_id\":\""))
      #expect(text.hasSuffix(#""status":0}"#))
    }
  }

  @Test func everyValueOfARowIsAString() {
    for answer in Self.answers {
      let lists = [
        answer["latest_receipt_info"], answer["pending_renewal_info"], answer["receipt"]?["in_app"],
      ]
      for value in lists.flatMap({ $0?.list ?? [] }).flatMap(\.object.values) { #expect(value.text != nil) }
    }
  }

  @Test func flagsAreSpeltAsApplesAre() {
    for answer in Self.answers {
      for row in answer["latest_receipt_info"]?.list ?? [] {
        #expect(["true", "false"].contains(row["is_trial_period"]?.text))
        #expect([nil, "true"].contains(row["is_upgraded"]?.text))
      }
      for info in answer["pending_renewal_info"]?.list ?? [] {
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

  @Test func oneTimePurchasesHaveNoSubscriptionFields() throws {
    let answer = try JSONValue(
      Town.answer(Town.store.receipt(of: Town.first(.shopper), at: Town.now).receipt.base64).body)
    for key in ["latest_receipt_info", "latest_receipt", "pending_renewal_info"] {
      #expect(answer[key] == nil)
    }
    let row = try #require(answer["receipt"]?["in_app"]?.list.first)
    for key in ["expires_date", "web_order_line_item_id", "is_in_intro_offer_period"] {
      #expect(row[key] == nil)
    }
  }

  @Test func everyAnswerIsReadByTheDecoder() throws {
    for person in Town.people.prefix(1000) where person.subscriber.accountGoneFrom == nil {
      let response = try Town.ask(person.subscriber)
      let answer = try #require(response.answer, "subscriber \(person.subscriber.index)")
      let rows = person.history.transactions + person.history.oneTime
      if person.subscriber.kind == .legacy {
        #expect([0, 21006].contains(response.status.rawValue))
        #expect(
          rows.max(by: Transaction.inOrder)?.expiresDate
            == answer.transactions.map(\.expiresDate).max { ($0 ?? .distantPast) < ($1 ?? .distantPast) })
        continue
      }
      #expect(answer.requestDate == Town.now)
      #expect(answer.environment == person.subscriber.environment)
      #expect(answer.bundleID == FakeCatalog.bundleID)
      #expect(Set(answer.transactions) == Set(rows), "subscriber \(person.subscriber.index)")
      #expect(answer.renewalInfos == person.history.renewalInfos)
    }
  }

  @Test("exclude-old-transactions leaves the newest row of each chain")
  func excludesOld() throws {
    for person in Town.people.prefix(150) where person.lines.count > 0 && person.rows.count > 2 {
      guard person.subscriber.kind == .paying, person.subscriber.accountGoneFrom == nil else { continue }
      let receipt = Town.store.receipt(of: person.subscriber, at: Town.now).receipt.base64
      let body = Town.body(receipt, excludingOld: true)
      let answer = try JSONValue(Town.store.answer(to: body, endpoint: .production, at: Town.now).body)
      let rows = answer["latest_receipt_info"]?.list ?? []
      #expect(rows.count == person.lines.count)
      let newest = person.lines.map { line in line.rows.map(\.expires).max()?.rawValue ?? 0 }
      #expect(Set(rows.compactMap { $0["expires_date_ms"]?.text }) == Set(newest.map { String($0) }))
    }
  }

  @Test func mostAreNewestFirst() {
    var (newestFirst, oldestFirst, neither) = (0, 0, 0)
    for answer in Self.answers {
      let rows = answer["latest_receipt_info"]?.list ?? []
      let dates = rows.compactMap { $0["purchase_date_ms"]?.text.flatMap { Int64($0) } }
      guard dates.count > 2 else { continue }
      if dates == dates.sorted(by: >) {
        newestFirst += 1
      } else if dates == dates.sorted() {
        oldestFirst += 1
      } else {
        neither += 1
      }
    }
    #expect(newestFirst > 8 * (oldestFirst + neither) / 2 && oldestFirst > 0 && neither > 0)
  }

  @Test func askingTwiceGivesTheSameAndLaterTheNextReceipt() throws {
    let subscriber = Town.first(.paying)
    let receipt = Town.store.receipt(of: subscriber, at: Town.now).receipt.base64
    #expect(Town.answer(receipt) == Town.answer(receipt))
    let changed = try #require(subscriber.history(until: Town.now).changedAt)
    let (first, last) = (Town.answer(receipt, at: changed), Town.answer(receipt, at: Town.now))
    #expect(try JSONValue(first.body)["latest_receipt"] == JSONValue(last.body)["latest_receipt"])
  }
}
