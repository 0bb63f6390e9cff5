import FakeAppStore
import Subscriptions
import Testing

/// Everything that the population promises to contain, at least so often among 5,000.
struct Behaviour: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var atLeast = 3
  let shows: @Sendable (Person) -> Bool

  init(_ name: String, atLeast: Int = 3, _ shows: @escaping @Sendable (Person) -> Bool) {
    testDescription = name
    self.atLeast = atLeast
    self.shows = shows
  }

  static let all = starts + renewals + troubles + ends + refunds + changes + others

  static let starts = [
    Behaviour("starts with a trial", atLeast: 500) { $0.rows.first?.kind == .trial },
    Behaviour("starts with an introductory price", atLeast: 50) { $0.rows.first?.kind == .intro },
    Behaviour("starts with an offer code", atLeast: 20) { $0.rows.first?.kind == .code },
    Behaviour("starts at the list price", atLeast: 500) { $0.rows.first?.kind == .standard },
    Behaviour("has a free month from an offer code") { person in
      person.rows.contains { $0.kind == .trial && $0.transaction.offerCodeRefName != nil }
    },
    Behaviour("an offer code comes with a promotional offer id") { person in
      person.rows.contains { $0.kind == .code && $0.transaction.promotionalOfferID?.utf8.count == 36 }
    },
    Behaviour("converts", atLeast: 500) { person in person.rows.contains { $0.outcome == .converted } },
    Behaviour("renews", atLeast: 1500) { person in person.rows.contains { $0.outcome == .renewed } },
    Behaviour("takes a promotional offer", atLeast: 100) { $0.rows.contains { $0.kind == .promo } },
    Behaviour("bears an app account token", atLeast: 500) {
      $0.history.transactions.first?.appAccountToken != nil
    },
  ]

  static let renewals = [
    Behaviour("a renewal is shown before it begins", atLeast: 10) { person in
      person.rows.contains { $0.purchase > Town.now }
    },
    Behaviour("has a long receipt", atLeast: 10) { $0.rows.count > 80 },
    Behaviour("history reaches back more than two years", atLeast: 100) { person in
      (person.rows.first?.purchase).map { Town.now - $0 > 730 * Milliseconds.day } ?? false
    },
    Behaviour("an offer is announced for the next renewal") { person in
      person.infos.contains { $0.promotionalOfferID != nil }
    },
    Behaviour("auto-renew is off and the period runs", atLeast: 50) { person in
      person.verdicts.contains { $0.state == .active && $0.autoRenew == false }
    },
  ]

  static let troubles = [
    Behaviour("is in grace", atLeast: 30) { $0.verdicts.contains { $0.state == .grace } },
    Behaviour("is in billing retry", atLeast: 80) { $0.verdicts.contains { $0.state == .billingRetry } },
    Behaviour("is in billing retry without a grace date", atLeast: 10) { person in
      person.verdicts.contains { $0.state == .billingRetry && $0.renewal?.gracePeriodExpiresDate == nil }
    },
    Behaviour("is in billing retry after its grace", atLeast: 10) { person in
      person.verdicts.contains { $0.state == .billingRetry && $0.renewal?.gracePeriodExpiresDate != nil }
    },
    Behaviour("is in billing retry without a reason", atLeast: 2) { person in
      person.verdicts.contains { $0.state == .billingRetry && $0.renewal?.expirationIntent == nil }
    },
    Behaviour("recovered in retry, after a gap", atLeast: 100) { person in
      zip(person.rows, person.rows.dropFirst()).contains { before, after in
        before.deadFrom == nil && after.kind == .standard && after.productID == before.productID
          && (16 * Milliseconds.day...60 * Milliseconds.day).contains(after.purchase - before.expires)
      }
    },
    Behaviour("the grace date stays after the failure", atLeast: 10) { person in
      person.verdicts.contains { $0.state == .expired && $0.renewal?.gracePeriodExpiresDate != nil }
    },
    Behaviour("cancelled in grace and left the renewal infos") { person in
      person.verdicts.contains { $0.state == .expired && $0.renewal == nil }
    },
    Behaviour("has to agree to a price increase", atLeast: 5) {
      $0.verdicts.contains(where: \.priceConsentPending)
    },
    Behaviour("agreed to a price increase") { $0.infos.contains { $0.priceConsentStatus == "1" } },
  ]

  static let ends = [
    Behaviour("customer cancelled", atLeast: 300) { $0.ended(.customerCancelled) },
    Behaviour("billing error", atLeast: 100) { $0.ended(.billingError) },
    Behaviour("price increase not consented", atLeast: 10) {
      $0.ended(.customerDidNotConsentToPriceIncrease)
    },
    Behaviour("product not available", atLeast: 10) { $0.ended(.productNotAvailable) },
    Behaviour("other", atLeast: 10) { $0.ended(.other) },
    Behaviour("a trial was let go", atLeast: 50) { person in
      person.verdicts.contains { $0.state == .expired && $0.current.kind == .trial }
    },
    Behaviour("came back to the same chain after months", atLeast: 100) { person in
      person.lines.contains { line in
        zip(line.rows, line.rows.dropFirst()).contains { $1.purchase - $0.expires > 60 * Milliseconds.day }
      }
    },
  ]

  static let refunds = [
    Behaviour("current period refunded", atLeast: 10) { $0.verdicts.contains { $0.state == .revoked } },
    Behaviour("older period refunded, and still active", atLeast: 50) { person in
      person.verdicts.contains { $0.state == .active } && person.rows.contains(where: \.isRefund)
    },
    Behaviour("refunded after the expiry", atLeast: 50) { person in
      person.rows.contains { row in row.isRefund && row.refundedAt.map { $0 > row.expires } ?? false }
    },
    Behaviour("reason 0", atLeast: 50) { $0.isRefunded(reason: "0") },
    Behaviour("reason 1", atLeast: 20) { $0.isRefunded(reason: "1") },
    Behaviour("a consumable refunded") { $0.history.oneTime.contains { $0.cancellationDate != nil } },
  ]

  static let changes = [
    Behaviour("upgraded with a cancellation date", atLeast: 100) { person in
      person.rows.contains { $0.upgrade?.isConfirmed == true && $0.upgrade?.direction == .upgrade }
    },
    Behaviour("upgraded without one", atLeast: 50) { person in
      person.rows.contains { $0.upgrade?.isConfirmed == false && $0.upgrade?.direction == .upgrade }
    },
    Behaviour("moved across at once", atLeast: 20) {
      $0.rows.contains { $0.upgrade?.direction == .crossgrade }
    },
    Behaviour("upgraded a trial", atLeast: 10) { person in
      person.rows.contains { $0.kind == .trial && $0.upgrade != nil }
    },
    Behaviour("upgraded while the renewal was there already", atLeast: 10) { person in
      person.rows.contains { row in row.upgrade?.instant == row.purchase }
    },
    Behaviour("upgrade dated much later than its successor") { person in
      person.rows.contains { row in
        guard let date = row.transaction.cancellationDate, let at = row.upgrade?.instant else { return false }
        return date - at > Milliseconds.hour
      }
    },
    Behaviour("downgraded at a renewal", atLeast: 20) {
      $0.rows.contains { $0.change?.direction == .downgrade }
    },
    Behaviour("changed length at a renewal", atLeast: 10) {
      $0.rows.contains { $0.change?.direction == .crossgrade }
    },
    Behaviour("a change is pending", atLeast: 10) { $0.verdicts.contains(where: \.changePending) },
  ]

  static let others = [
    Behaviour("two subscription groups", atLeast: 50) { $0.lines.count == 2 },
    Behaviour("unpriced product", atLeast: 20) { person in
      person.rows.contains { $0.productID == FakeCatalog.unpricedProduct && $0.price == nil }
    },
    Behaviour("pays in euro", atLeast: 50) { person in
      person.rows.contains { $0.price?.amount.currency == CurrencyCode("EUR") }
    },
    Behaviour("restored: one purchase under two ids", atLeast: 50) { person in
      person.rows.contains { !$0.duplicateIDs.isEmpty }
    },
    Behaviour("has one-time purchases", atLeast: 200) { !$0.history.oneTime.isEmpty },
    Behaviour("has nothing but one-time purchases", atLeast: 50) {
      $0.rows.isEmpty && !$0.history.oneTime.isEmpty
    },
    Behaviour("iOS 6 style receipt") { $0.subscriber.kind == .legacy },
    Behaviour("account deleted") { $0.subscriber.accountGoneFrom.map { $0 <= Town.now } ?? false },
    Behaviour("was not signed in", atLeast: 20) { $0.subscriber.appUserID == nil },
  ]
}

extension Person {
  fileprivate func ended(_ intent: ExpirationIntent) -> Bool {
    verdicts.contains { $0.state == .expired && $0.expirationIntent == intent }
  }

  fileprivate func isRefunded(reason: String) -> Bool {
    rows.contains { $0.isRefund && $0.transaction.cancellationReason == reason }
  }
}

@Suite struct BehaviourTests {
  @Test("Among 5,000 subscribers", arguments: Behaviour.all)
  func occurs(_ behaviour: Behaviour) {
    let found = Town.purchased.filter(behaviour.shows).count
    #expect(found >= behaviour.atLeast, "\(found) of \(Town.purchased.count)")
  }

  @Test func familyMembersHoldWhatOthersPayFor() {
    let members = Town.people.filter { $0.isFamily && !$0.rows.isEmpty }
    let rows = members.flatMap(\.history.transactions)
    #expect(members.count > 80)
    #expect(rows.allSatisfy { $0.inAppOwnershipType == .familyShared && $0.webOrderLineItemID == nil })
    let revoked = members.filter { member in member.rows.contains { $0.refundedAt != nil } }
    #expect(revoked.count >= 3)
  }

  @Test func testersHaveShrunkPeriods() throws {
    let testers = Town.people.filter { $0.subscriber.environment == .sandbox }
    let rows = testers.flatMap(\.rows)
    #expect((100...220).contains(testers.count))
    #expect(rows.allSatisfy { $0.expires - $0.purchase <= Milliseconds.hour })
    #expect(rows.allSatisfy { $0.id.rawValue.hasPrefix("2000") && $0.id.rawValue.utf8.count == 16 })
    let upgraded = rows.filter(\.transaction.isUpgraded)
    #expect(!upgraded.isEmpty)
    #expect(upgraded.allSatisfy { $0.transaction.cancellationDate == nil })
  }

  @Test func twoThirdsOfTheUpgradesAreDated() {
    let upgrades = Town.purchased.flatMap(\.rows).filter(\.transaction.isUpgraded)
    let dated =
      upgrades.filter { $0.transaction.cancellationDate != nil }.count * 100 / max(1, upgrades.count)
    #expect((60...74).contains(dated))
    // Now and then somebody moves up twice before the first new period has begun, which nothing dates.
    let undated = upgrades.count { $0.upgrade?.instant == nil }
    #expect(undated * 200 <= upgrades.count)
  }
}
