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
    Case(testDescription: "0", body: valid, expected: .found(.answer(answer))),
    Case(
      testDescription: "0 for the app that was expected", body: valid, expected: .found(.answer(answer)),
      context: context { $0.app = BundleID("com.example.app") }),
    Case(
      testDescription: "0 for another app", body: valid,
      expected: .found(.rejected("the answer is for com.example.app, the receipt for com.example.other")),
      context: context { $0.app = BundleID("com.example.other") }),
    Case(
      testDescription: "0 without a receipt", body: #"{"status":0}"#,
      expected: .found(.later("the answer holds no receipt", retryAfter: nil))),
    Case(
      testDescription: "21006 carries data", body: #"{"status":21006,"receipt":{"bid":"com.example.app"}}"#,
      expected: .found(.answer(answer))),
    Case(
      testDescription: "21000", body: #"{"status":21000}"#,
      expected: .found(.later("21000: the request was not made with POST", retryAfter: nil))),
    Case(
      testDescription: "a status that nobody knows", body: #"{"status":2}"#,
      expected: .found(.later("2: a status that Apple does not document", retryAfter: nil))),
    Case(
      testDescription: "21002 at first", body: #"{"status":21002}"#,
      expected: .found(.later(malformed, retryAfter: nil))),
    Case(
      testDescription: "21002 again and again", body: #"{"status":21002}"#,
      expected: .found(.rejected(malformed)),
      context: context { $0.failures = OutcomeContext.patience - 1 }),
    Case(
      testDescription: "21002 again and again for what was valid once", body: #"{"status":21002}"#,
      expected: .found(.later(malformed, retryAfter: nil)),
      context: context {
        $0.failures = 100
        $0.wasValidated = true
      }),
    Case(
      testDescription: "21003", body: #"{"status":21003}"#,
      expected: .found(.rejected("21003: the receipt could not be authenticated"))),
    Case(testDescription: "21004", body: #"{"status":21004}"#, expected: .secretRefused),
    Case(
      testDescription: "21005", body: #"{"status":21005}"#,
      expected: .found(
        .later(
          "21005: the receipt server was temporarily unable to provide the receipt", retryAfter: nil))),
    Case(testDescription: "21007", body: #"{"status":21007}"#, expected: .elsewhere(.sandbox)),
    Case(
      testDescription: "21008", body: #"{"status":21008}"#, expected: .elsewhere(.production),
      context: context(asked: .sandbox) { _ in }),
    Case(
      testDescription: "21007 from the sandbox itself", body: #"{"status":21007}"#,
      expected: .found(
        .later(
          "21007: a sandbox receipt was sent to production, and the other environment sends it back",
          retryAfter: nil)), context: context(asked: .sandbox) { $0.isRerouted = true }),
    Case(
      testDescription: "21008 after the hop to the sandbox", body: #"{"status":21008}"#,
      expected: .found(
        .later(
          "21008: a production receipt was sent to the sandbox, and the other environment sends it back",
          retryAfter: nil)), context: context(asked: .sandbox) { $0.isRerouted = true }),
    Case(
      testDescription: "21009", body: #"{"status":21009}"#, expected: .found(.later(broken, retryAfter: nil))),
    Case(
      testDescription: "21010", body: #"{"status":21010,"is_retryable":false}"#,
      expected: .found(.accountGone)),
    Case(
      testDescription: "21100 without a word", body: #"{"status":21100}"#,
      expected: .found(.later("21100: internal data access error", retryAfter: nil))),
    Case(
      testDescription: "21199, retryable", body: #"{"status":21199,"is-retryable":1}"#,
      expected: .found(.later("21199: internal data access error", retryAfter: nil))),
    Case(
      testDescription: "21150, not retryable", body: #"{"status":21150,"is-retryable":false}"#,
      expected: .found(.rejected("21150: internal data access error"))),
    Case(
      testDescription: "503", body: "<html>", expected: .found(.later("HTTP 503", retryAfter: 30)), http: 503,
      retryAfter: 30),
    Case(
      testDescription: "429 with a valid body", body: valid,
      expected: .found(.later("HTTP 429", retryAfter: nil)),
      http: 429),
    Case(
      testDescription: "a redirect", body: "", expected: .found(.later("HTTP 302", retryAfter: nil)),
      http: 302),
    Case(
      testDescription: "an empty body", body: "",
      expected: .found(.later("unreadable answer: it is not complete JSON", retryAfter: nil))),
    Case(
      testDescription: "HTML", body: "<html>",
      expected: .found(.later("unreadable answer: it is not complete JSON", retryAfter: nil))),
    Case(
      testDescription: "cut off", body: String(valid.dropLast()),
      expected: .found(.later("unreadable answer: it is not complete JSON", retryAfter: nil))),
    Case(
      testDescription: "no status", body: "{}",
      expected: .found(.later("unreadable answer: status is missing", retryAfter: nil))),
  ]

  @Test(arguments: cases) func everyStatusHasItsConsequence(_ one: Case) {
    let answer = HTTPAnswer(status: one.http, body: Array(one.body.utf8), retryAfter: one.retryAfter)
    let judgement = Judgement(.answered(answer), in: one.context)
    #expect(judgement.outcome == one.expected)
    #expect(judgement.http == one.http)
    #expect(judgement.transport == nil)
  }
}
