import AppStore
import ReceiptStore
import Subscriptions
import Sweep
import TestSupport
import Testing

/// An answer is accepted only if the receipt or the store proves that it is about the receipt.
@Suite struct EvidenceTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    /// Name of the receipt in the answer.
    var answered = "100"
    var receipt: ReceiptData? = CannedReceipt.data("100", app: "com.example.app")
    var chains: Set<OriginalTransactionID> = []
    var latest: String?
    var objection: String?
    var keepsLatest = false
  }

  static let another = "the answer is about another receipt: none of its purchases is in this one"
  static let unreadable = "the receipt cannot be read, so the answer's purchases cannot be verified"
  static let newer = CannedReceipt.data("100", app: "com.example.app", transaction: 1).base64

  static let cases = [
    Case(testDescription: "its own"),
    Case(testDescription: "a neighbour's", answered: "200", objection: another),
    Case(
      testDescription: "a neighbour's, of a PKCS#7 receipt", answered: "200", receipt: container,
      objection: another),
    Case(testDescription: "its own, of a PKCS#7 receipt", answered: "4700000000000", receipt: container),
    Case(
      testDescription: "its own, of a receipt that cannot be read", receipt: ReceiptData(trusted: "MIIB"),
      objection: unreadable),
    Case(testDescription: "its own, of an unknown receipt", receipt: nil, objection: unreadable),
    Case(
      testDescription: "of a receipt that cannot be read, and a chain that the store has of it",
      receipt: ReceiptData(trusted: "MIIB"), chains: [OriginalTransactionID("1000")]),
    Case(
      testDescription:
        "a neighbour's, of a receipt that cannot be read, and a chain that the store has of it",
      answered: "200", receipt: ReceiptData(trusted: "MIIB"), chains: [OriginalTransactionID("1000")],
      objection: another),
    Case(
      testDescription: "of a receipt that holds no purchase",
      receipt: CannedReceipt.empty(app: "com.example.app"),
      objection: "the answer contains purchases, the receipt none"),
    Case(
      testDescription: "a chain that came later than the receipt", answered: "200",
      chains: [OriginalTransactionID("2000")]),
    Case(testDescription: "with a newer receipt", latest: newer, keepsLatest: true),
    Case(
      testDescription: "with the same receipt",
      latest: CannedReceipt.data("100", app: "com.example.app").base64),
    Case(
      testDescription: "with a neighbour's newer receipt",
      latest: CannedReceipt.data("200", app: "com.example.app").base64),
    Case(
      testDescription: "with a newer receipt of another app",
      latest: CannedReceipt.data("100", app: "com.example.other").base64),
    Case(testDescription: "with garbage for a newer receipt", latest: "MIIgarbage"),
    Case(
      testDescription: "with a newer receipt without a purchase",
      latest: CannedReceipt.empty(app: "com.example.app").base64),
    Case(
      testDescription: "of a receipt that cannot be read, with a newer one",
      receipt: ReceiptData(trusted: "MIIB"),
      chains: [OriginalTransactionID("1000")], latest: newer),
  ]

  /// Receipt in Apple's container format with the single purchase 47000000000000.
  static let container = ReceiptData(
    trusted:
      "MIGdBgkqhkiG9w0BBwKggY8wgYwCAQExADCBhAYJKoZIhvcNAQcBoHcEdTFzMBQCAQACAQEEDAwKUHJvZHVjdGlvbjAZAgECAgEBBBEMD2NvbS5leGFtcGxlLmFwcDBAAgERAgEBBDgxNjAZAgIGpwIBAQQQDA40NzAwMDAwMDAwMDAwMDAZAgIGqQIBAQQQDA40NzAwMDAwMDAwMDAwMA=="
  )

  @Test(arguments: cases) func anAnswerIsAcceptedOnlyWithEvidence(_ one: Case) throws {
    var context = OutcomeContext(asked: .production)
    (context.receipt, context.chains) = (one.receipt, one.chains)
    let body = Array(CannedAnswer.text(one.answered, latest: one.latest).utf8)
    switch ResponseClassification(.answered(HTTPAnswer(status: 200, body: body)), in: context).outcome {
    case .answer(let answer):
      #expect(one.objection == nil)
      #expect(answer.latestReceipt?.base64 == (one.keepsLatest ? one.latest : nil))
    case .failed(let failing): #expect(failing == one.objection.map { FailedAttempt(.unproven, $0) })
    case .elsewhere, .secretRefused, .keyRefused, .unfinished, .history:
      Issue.record("an answer is an answer")
    }
  }

  @Test func rejectsAnAnswerWithOnlyForeignRenewals() {
    var context = OutcomeContext(asked: .production)
    context.receipt = CannedReceipt.empty(app: "com.example.app")
    let body = #"""
      {"status":0,"receipt":{"bundle_id":"com.example.app","in_app":[]},
      "pending_renewal_info":[{"original_transaction_id":"2000","product_id":"monthly","auto_renew_status":"1"}]}
      """#
    let outcome = ResponseClassification(
      .answered(HTTPAnswer(status: 200, body: Array(body.utf8))), in: context
    ).outcome
    #expect(outcome == .failed(FailedAttempt(.unproven, "the answer contains purchases, the receipt none")))
  }

  @Test func evidenceFailuresNeverRejectReceipts() {
    var history = FailureHistory()
    (history.failures, history.since) = (1000, day(0))
    (history.lastReason, history.sameSince) = (Self.another, day(0))
    for kind in [FailedAttempt.Kind.unproven, .untrusted, .otherApp, .tooLong] {
      let isDead = GiveUpPolicy.standard.isExhausted(
        by: FailedAttempt(kind, Self.another), after: history, isBurst: false, at: day(1000))
      #expect(!isDead)
    }
  }
}
