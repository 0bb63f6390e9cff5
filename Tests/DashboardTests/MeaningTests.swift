import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("What a state means") struct MeaningTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let words: String
    let change: @Sendable (inout LineEntry) -> Void
    var testDescription: String { name }

    init(_ name: String, _ words: String, _ change: @escaping @Sendable (inout LineEntry) -> Void) {
      (self.name, self.words, self.change) = (name, words, change)
    }

    static func ended(_ intent: String?, _ words: String) -> Case {
      Case("expired, intent \(intent ?? "unknown")", "It ended on 2027-03-10: \(words).") {
        $0.state = .expired
        $0.expirationIntent = intent
      }
    }
  }

  static let cases: [Case] = [
    Case("active", "Paid until 2027-03-10; then it renews.") { $0.changePending = false },
    Case("active, changing", "Paid until 2027-03-10; then it renews as com.example.pro.monthly.") { _ in },
    Case("active, switched off", "Paid until 2027-03-10; then it ends, because auto-renew is off.") {
      $0.autoRenew = false
    },
    Case("active, unknown", "Paid until 2027-03-10; whether it renews is unknown.") {
      $0.autoRenew = nil
    },
    Case("price consent", "then it renews if the customer accepts the new price.") {
      $0.priceConsentPending = true
    },
    Case("trial", "A free trial runs until 2027-03-10; then it renews") { $0.state = .trial },
    Case("overdue", "was not checked with Apple since") { $0.state = .overdue },
    Case("grace", "access continues until 2027-03-10 while Apple retries.") { $0.state = .grace },
    Case("billing retry", "retries until 2027-05-09; there is no access meanwhile.") {
      $0.state = .billingRetry
    },
    Case("revoked", "Apple refunded the purchase, which ended access on 2027-03-10.") {
      $0.state = .revoked
    },
    Case("revoked in the family", "not been shared with this family member since 2027-03-10.") {
      $0.state = .revoked
      $0.familyShared = true
    },
    .ended("1", "the customer turned off auto-renew"), .ended("2", "Apple could not bill the renewal"),
    .ended("3", "the customer declined a price increase"),
    .ended("4", "the product was removed from sale before the renewal"),
    .ended("5", "Apple reports another reason"),
    .ended("9", "Apple reports the undocumented reason 9"),
    .ended(nil, "the reason is unknown"),
  ]

  @Test(arguments: [
    (LineState.active, "increase pending"), (.trial, "increase pending"), (.billingRetry, "increase pending"),
    (.expired, "expired without consent"), (.revoked, "expired without consent"),
  ])
  func requestForAHigherPrice(_ state: LineState, _ words: String) {
    var chain = Sample.story
    (chain.lines[0].state, chain.lines[0].priceConsentPending) = (state, true)
    let shown = text(of: [chain], at: Sample.now, width: 400)
    #expect(shown.contains(words))
    #expect(shown.contains("increase pending") == words.hasSuffix("pending"))
  }

  @Test func usesApplesNameForWinBackOffers() {
    var chain = Sample.story
    chain.lines[0].transactions[0].kind = "winback"
    chain.lines[0].transactions[6].promotionalOfferId = nil
    let shown = text(of: [chain], at: Sample.now, width: 400)
    #expect(shown.contains("win-back offer") && !shown.contains("winback"))
  }

  @Test("is said in a sentence", arguments: cases)
  func sentence(_ test: Case) {
    var chain = Sample.story
    test.change(&chain.lines[0])
    #expect(text(of: [chain], at: Sample.now, width: 400).contains(test.words))
  }
}
