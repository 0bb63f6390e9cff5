import AppStore
import Subscriptions
import Testing

@Suite struct StatusTests {
  struct Case: CustomTestStringConvertible {
    let status: Int
    var isRetryable: Bool?
    let meaning: VerifyReceiptStatus.Meaning
    var testDescription: String { "\(status)\(isRetryable.map { " is-retryable \($0)" } ?? "")" }
  }

  @Test(arguments: [
    Case(status: 0, meaning: .data), Case(status: 21006, meaning: .data),
    Case(status: 0, isRetryable: true, meaning: .data),
    Case(status: 21000, meaning: .rejected), Case(status: 21001, meaning: .rejected),
    Case(status: 21002, meaning: .malformedOrPassing), Case(status: 21003, meaning: .rejected),
    Case(status: 21004, meaning: .secretRefused), Case(status: 21005, meaning: .retry),
    Case(status: 21007, meaning: .elsewhere(.sandbox)), Case(status: 21008, meaning: .elsewhere(.production)),
    Case(status: 21009, meaning: .retry), Case(status: 21010, meaning: .accountGone),
    Case(status: 21010, isRetryable: false, meaning: .accountGone), Case(status: 21100, meaning: .retry),
    Case(status: 21100, isRetryable: true, meaning: .retry),
    Case(status: 21199, isRetryable: false, meaning: .rejected),
    Case(status: 21200, meaning: .rejected), Case(status: 2, meaning: .rejected),
    Case(status: -1, meaning: .rejected),
    Case(status: 99_999, isRetryable: true, meaning: .retry),
  ])
  func meanings(_ test: Case) {
    let status = VerifyReceiptStatus(rawValue: test.status)
    #expect(status.meaning(isRetryable: test.isRetryable) == test.meaning)
    #expect(!status.text.isEmpty)
  }

  @Test(
    arguments: [
      ("\"is-retryable\": true", true), ("\"is-retryable\": \"1\"", true), ("\"is-retryable\": 0", false),
      ("\"is_retryable\": false", false), ("\"is_retryable\": \"true\"", true), ("\"other\": 1", nil),
      ("\"is-retryable\": null", nil),
    ] as [(String, Bool?)])
  func spellingsOfIsRetryable(_ json: String, _ isRetryable: Bool?) throws {
    #expect(try decode("{\"status\": 21100, \(json)}").isRetryable == isRetryable)
  }

  /// Errors never change stored data, even if their body has some.
  @Test(arguments: [21000, 21002, 21003, 21004, 21005, 21007, 21008, 21009, 21010, 21100, 21199, 2, -5])
  func errorsCarryNoData(_ status: Int) throws {
    let response = try decode(
      wire(status: "\(status)", latest: [wireRow()], pending: ["{\"product_id\": \"monthly\"}"]))
    #expect(response.answer == nil)
    #expect(response.status.rawValue == status)
    let nonsense =
      "{\"status\": \(status), \"receipt\": 7, \"latest_receipt_info\": [1, \"x\"], \"environment\": \"Sandbox\"}"
    #expect(try decode(nonsense).answer == nil)
  }
}
