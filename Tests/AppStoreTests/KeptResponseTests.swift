import AppStore
import Subscriptions
import Testing

@Suite struct KeptResponseTests {
  private func kept(_ json: String) throws -> KeptResponse { try KeptResponse(decoding: Array(json.utf8)) }

  @Test func bare() throws {
    let kept = try kept(wire(latest: [wireRow()]))
    #expect(kept.appUserID == nil && kept.observedAt == nil)
    #expect(kept.response.answer?.transactions.count == 1)
  }

  @Test(arguments: ["\"1767225600000\"", "1767225600000", "\"2026-01-01T00:00:00Z\""])
  func wrapped(_ instant: String) throws {
    let kept = try kept(
      "{\"app_user_id\": \"u\", \"observed_at_ms\": \(instant), \"response\": \(wire(latest: [wireRow()]))}")
    #expect(kept.appUserID?.rawValue == "u")
    #expect(kept.observedAt?.rawValue == 1_767_225_600_000)
    #expect(kept.response.answer?.transactions.count == 1)
  }

  @Test func wrappedWithoutTheRest() throws {
    let kept = try kept("{\"response\": {\"status\": 21003}}")
    #expect(kept.appUserID == nil && kept.observedAt == nil)
    #expect(kept.response.answer == nil && kept.response.status.rawValue == 21003)
  }

  @Test(arguments: [
    ("{\"response\": null}", "response"), ("{\"response\": 5}", "response"), ("{}", "status is missing"),
    ("{\"response\": {}}", "response.status is missing"),
    ("{\"response\": {\"status\": 0}, \"observed_at_ms\": \"soon\"}", "observed_at_ms"),
    ("", "JSON"),
    (
      "{\"app_user_id\": \"a\", \"app_user_id\": \"b\", \"response\": {\"status\": 0}}",
      "it has a duplicate key"
    ),
  ])
  func refuses(_ json: String, _ says: String) throws {
    let error = try #require(throws: UnreadableAnswer.self) { try kept(json) }
    #expect("\(error)".contains(says), "\(error)")
  }
}

@Suite struct VerifyReceiptRequestTests {
  @Test func neverDescribesItself() throws {
    let body = #"{"receipt-data":"MIIB","password":"s3cret"}"#
    let request = try VerifyReceiptRequest(decoding: Array(body.utf8))
    var dumped = ""
    dump(request, to: &dumped)
    for text in ["\(request)", String(reflecting: request), "\([request])", dumped] {
      #expect(!text.contains("MIIB") && !text.contains("s3cret"), "\(text)")
    }
  }
}
