import Subscriptions
import TestSupport
import Testing

@Suite struct ReceiptDataTests {
  private let secret = "MIIcretR3ceipt"

  @Test func neverDescribesItself() throws {
    let data = try #require(ReceiptData(base64: secret))
    let imported = ImportedReceipt(data: data, appUserID: AppUserID("u"))
    var answer = Answer(environment: .production)
    answer.latestReceipt = data
    var dumped = ""
    dump(data, to: &dumped)
    dump(imported, to: &dumped)
    dump(answer, to: &dumped)
    for text in [
      "\(data)", String(reflecting: data), "\(imported)", String(reflecting: answer), "\([data])", dumped,
    ] {
      #expect(!text.contains("cretR3"), "\(text)")
    }
  }

  @Test(arguments: [
    ("as Apple takes it", "MI+/AA==", "MI+/AA=="),
    ("without padding", "MI+/AA", "MI+/AA=="),
    ("with too much padding", "MI+/AA===", "MI+/AA=="),
    ("base64url", "MI-_AA", "MI+/AA=="),
    ("base64url with padding", "MI-_AA==", "MI+/AA=="),
    ("both alphabets", "MI+_AA", "MI+/AA=="),
    ("white space", " MI\r\n+ /AA\t=", "MI+/AA=="),
    ("one character of padding", "MI-_AAE", "MI+/AAE="),
    ("nothing to pad", "MI-_", "MI+/"),
  ])
  func everySpellingIsTheSameReceipt(_ testDescription: String, _ text: String, _ base64: String) throws {
    let data = try #require(ReceiptData(base64: text))
    #expect(data.base64 == base64)
    #expect(data.fingerprint == ReceiptData(trusted: base64).fingerprint)
  }

  @Test(arguments: [
    "", "  \n", "{\"a\":1}", "MII!", "MIé", "\"MIIB\"", "MIIBA", "M", "==", "=MII", "MI==IB", "MI=B",
  ])
  func refuses(_ text: String) { #expect(ReceiptData(base64: text) == nil) }

  @Test func anotherReceiptHasAnotherFingerprint() {
    #expect(ReceiptData(base64: "MIIB")?.fingerprint != ReceiptData(base64: "MIIC")?.fingerprint)
  }
}

@Suite struct AnswerDigestTests {
  private let answer: Answer = {
    var answer = Answer(
      environment: .production, requestDate: day(3), transactions: [trial("1", 0, 7), monthly("2", 7, 37)])
    answer.renewalInfos = [.make(), .make(product: "yearly")]
    return answer
  }()

  @Test func orderAndTheClockDoNotMatter() {
    var other = answer
    other.transactions.reverse()
    other.renewalInfos.reverse()
    other.requestDate = day(9)
    other.latestReceipt = ReceiptData(base64: "MIIB")
    #expect(other.digest == answer.digest)
  }

  struct Change: CustomTestStringConvertible {
    let name: String
    let change: @Sendable (inout Answer) -> Void
    var testDescription: String { name }
  }

  @Test(arguments: [
    Change(name: "environment") { $0.environment = .sandbox },
    Change(name: "a row more") { $0.transactions.append(monthly("3", 37, 67)) },
    Change(name: "a row less") { $0.transactions.removeLast() },
    Change(name: "lagging") { $0.lagging = [TransactionID("1")] },
    Change(name: "refund") { $0.transactions[0].cancellationDate = day(1) },
    Change(name: "reason") { $0.transactions[0].cancellationReason = "1" },
    Change(name: "upgrade") { $0.transactions[0].isUpgraded = true },
    Change(name: "group") { $0.transactions[0].subscriptionGroupIdentifier = SubscriptionGroupID("G") },
    Change(name: "auto-renew") { $0.renewalInfos[0].autoRenewStatus = false },
    Change(name: "auto-renew unknown") { $0.renewalInfos[0].autoRenewStatus = nil },
    Change(name: "retry 0 is not absent") { $0.renewalInfos[0].isInBillingRetryPeriod = false },
    Change(name: "grace") { $0.renewalInfos[0].gracePeriodExpiresDate = day(1) },
    Change(name: "consent") { $0.renewalInfos[0].priceConsentStatus = "0" },
    Change(name: "increase is not consent") { $0.renewalInfos[0].priceIncreaseStatus = "0" },
  ])
  func everyFactCounts(_ test: Change) {
    var other = answer
    test.change(&other)
    #expect(other.digest != answer.digest)
  }
}
