import AppStore
import Subscriptions
import Sweep
import Testing

@Suite struct OutcomeTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let body: String
    let expected: Outcome
    var http = 200
    var retryAfter: Int?
    var context = OutcomeContext(asked: .production)
  }

  static func context(
    asked: StoreEnvironment = .production, _ change: (inout OutcomeContext) -> Void
  ) -> OutcomeContext {
    var context = OutcomeContext(asked: asked)
    change(&context)
    return context
  }

  static let malformed = "21002: the receipt data is malformed, or a temporary issue"
  static let broken = "21009: internal data access error"
  static let valid = #"{"status":0,"receipt":{"bundle_id":"com.example.app"}}"#
  static let answer = Answer(environment: .production, bundleID: BundleID("com.example.app"))

  static let cases: [Case] = [
    Case(testDescription: "0", body: valid, expected: .answer(answer)),
    Case(
      testDescription: "0 for the app that was expected", body: valid, expected: .answer(answer),
      context: context { $0.app = BundleID("com.example.app") }),
    Case(
      testDescription: "0 for another app", body: valid,
      expected: .failed(
        FailedAttempt(.puzzling, "the answer is for com.example.app, the receipt for com.example.other")),
      context: context { $0.app = BundleID("com.example.other") }),
    Case(
      testDescription: "0 for another app, which the receipt says itself it is of", body: valid,
      expected: .failed(
        FailedAttempt(.verdict, "the answer is for com.example.app, the receipt for com.example.other")),
      context: context {
        $0.app = BundleID("com.example.other")
        $0.receipt = CannedReceipt.data("100", app: "com.example.app")
      }),
    Case(
      testDescription: "0 without a receipt", body: #"{"status":0}"#,
      expected: .failed(FailedAttempt(.puzzling, "the answer contains no receipt"))),
    Case(
      testDescription: "0 for none of our apps", body: valid,
      expected: .failed(
        FailedAttempt(.puzzling, "the answer is for com.example.app, which is not a configured app")),
      context: context { $0.ourApps = [BundleID("com.example.other")] }),
    Case(
      testDescription: "0 that says Sandbox, from production",
      body: #"{"status":0,"environment":"Sandbox","receipt":{"bundle_id":"com.example.app"}}"#,
      expected: .failed(FailedAttempt(.puzzling, "the answer is from Sandbox, but Production was asked"))),
    Case(
      testDescription: "0 without the purchases that are known", body: valid,
      expected: .failed(FailedAttempt(.unproven, "the answer contains none of the receipt's purchases")),
      context: context {
        $0.chains = [OriginalTransactionID("1000")]
        $0.receipt = ReceiptData(trusted: "MIIunreadable")
      }),
    Case(
      testDescription: "21006 carries data", body: #"{"status":21006,"receipt":{"bid":"com.example.app"}}"#,
      expected: .answer(answer)),
    Case(
      testDescription: "21000", body: #"{"status":21000}"#,
      expected: .failed(FailedAttempt(.puzzling, "21000: the request was not made with POST"))),
    Case(
      testDescription: "an unknown status", body: #"{"status":2}"#,
      expected: .failed(FailedAttempt(.puzzling, "2: a status that Apple does not document"))),
    Case(
      testDescription: "21002 at first", body: #"{"status":21002}"#,
      expected: .failed(FailedAttempt(.malformed, malformed))),
    Case(
      testDescription: "21003", body: #"{"status":21003}"#,
      expected: .failed(FailedAttempt(.verdict, "21003: the receipt could not be authenticated"))),
    Case(testDescription: "21004", body: #"{"status":21004}"#, expected: .secretRefused),
    Case(
      testDescription: "21005", body: #"{"status":21005}"#,
      expected: .failed(
        FailedAttempt(.passing, "21005: the receipt server was temporarily unable to provide the receipt"))),
    Case(testDescription: "21007", body: #"{"status":21007}"#, expected: .elsewhere(.sandbox)),
    Case(
      testDescription: "21008", body: #"{"status":21008}"#, expected: .elsewhere(.production),
      context: context(asked: .sandbox) { _ in }),
    Case(
      testDescription: "21007 from the sandbox itself", body: #"{"status":21007}"#,
      expected: .failed(
        FailedAttempt(
          .puzzling,
          "21007: a sandbox receipt was sent to production, but the other environment redirects back")),
      context: context(asked: .sandbox) { $0.isRerouted = true }),
    Case(
      testDescription: "21008 after the hop to the sandbox", body: #"{"status":21008}"#,
      expected: .failed(
        FailedAttempt(
          .puzzling,
          "21008: a production receipt was sent to the sandbox, but the other environment redirects back")),
      context: context(asked: .sandbox) { $0.isRerouted = true }),
    Case(
      testDescription: "21009", body: #"{"status":21009}"#, expected: .failed(FailedAttempt(.passing, broken))
    ),
    Case(
      testDescription: "21010", body: #"{"status":21010,"is_retryable":false}"#,
      expected: .failed(FailedAttempt(.gone, "21010: the user account cannot be found or has been deleted"))),
    Case(
      testDescription: "21100 without a word", body: #"{"status":21100}"#,
      expected: .failed(FailedAttempt(.passing, "21100: internal data access error"))),
    Case(
      testDescription: "21199, retryable", body: #"{"status":21199,"is-retryable":1}"#,
      expected: .failed(FailedAttempt(.passing, "21199: internal data access error"))),
    Case(
      testDescription: "21150, not retryable", body: #"{"status":21150,"is-retryable":false}"#,
      expected: .failed(FailedAttempt(.verdict, "21150: internal data access error, not retryable"))),
    Case(
      testDescription: "21005 with Retry-After", body: #"{"status":21005}"#,
      expected: .failed(
        FailedAttempt(
          .passing, "21005: the receipt server was temporarily unable to provide the receipt", retryAfter: 30)
      ),
      retryAfter: 30),
    Case(
      testDescription: "503", body: "<html>",
      expected: .failed(FailedAttempt(.passing, "HTTP 503", retryAfter: 30)), http: 503,
      retryAfter: 30),
    Case(
      testDescription: "429 with a valid body", body: valid,
      expected: .failed(FailedAttempt(.passing, "HTTP 429")),
      http: 429),
    Case(
      testDescription: "a redirect", body: "", expected: .failed(FailedAttempt(.passing, "HTTP 302")),
      http: 302),
    Case(
      testDescription: "an empty body", body: "",
      expected: .failed(FailedAttempt(.passing, "unreadable answer: it is not complete JSON"))),
    Case(
      testDescription: "HTML", body: "<html>",
      expected: .failed(FailedAttempt(.passing, "unreadable answer: it is not complete JSON"))),
    Case(
      testDescription: "cut off", body: String(valid.dropLast()),
      expected: .failed(FailedAttempt(.passing, "unreadable answer: it is not complete JSON"))),
    Case(
      testDescription: "no status", body: "{}",
      expected: .failed(FailedAttempt(.passing, "unreadable answer: status is missing"))),
  ]

  @Test(arguments: cases) func everyStatusHasItsConsequence(_ one: Case) {
    let answer = HTTPAnswer(status: one.http, body: Array(one.body.utf8), retryAfter: one.retryAfter)
    let classification = ResponseClassification(.answered(answer), in: one.context)
    #expect(classification.outcome == one.expected)
    #expect(classification.http == one.http)
    #expect(classification.transport == nil)
  }
}
