import AppStore
import Subscriptions
import Testing

@Suite struct StatusTests {

  @Test(
    arguments: [
      (0, nil, .data), (21006, nil, .data),
      (0, true, .data),
      (21000, nil, .rejected), (21001, nil, .rejected),
      (21002, nil, .malformedOrPassing), (21003, nil, .rejected),
      (21004, nil, .secretRefused), (21005, nil, .retry),
      (21007, nil, .elsewhere(.sandbox)), (21008, nil, .elsewhere(.production)),
      (21009, nil, .retry), (21010, nil, .accountGone),
      (21010, false, .accountGone), (21100, nil, .retry),
      (21100, true, .retry),
      (21199, false, .rejected),
      (21200, nil, .rejected), (2, nil, .rejected),
      (-1, nil, .rejected),
      (99_999, true, .retry),
    ] as [(Int, Bool?, VerifyReceiptStatus.Meaning)])
  func meanings(_ status: Int, _ isRetryable: Bool?, _ meaning: VerifyReceiptStatus.Meaning) {
    let status = VerifyReceiptStatus(rawValue: status)
    #expect(status.meaning(isRetryable: isRetryable) == meaning)
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
