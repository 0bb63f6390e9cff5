import AppStore
import HTTPServer
import NIOHTTP1
import Subscriptions

/// Request to verifyReceipt, the Server API or the reports API.
struct IncomingRequest: Sendable {
  let subscriber: Subscriber?
  let isPossible: @Sendable (Fault) -> Bool
  /// Returns the answer, changed by a fault of the content or Apple's status; other faults leave it correct.
  let answer: @Sendable (Fault?, _ now: Instant, inout SplitMix64) -> HTTPResponse
}

extension HTTPResponse {
  static func json(_ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(status: .ok, headers: ["Content-Type": "application/json"], body: .bytes(body))
  }

  private static let gzip = "application/a-gzip"

  /// Returns a report of App Store Connect, compressed but without a `Content-Encoding`.
  static func compressed(_ text: String) -> HTTPResponse {
    let body = Gzip.compressed([Array(text.utf8)])
    return HTTPResponse(status: .ok, headers: ["Content-Type": gzip], body: .bytes(body))
  }

  /// Returns an error of the Server API; the next request is permitted from `retryAfter` on.
  static func refusal(_ error: FakeServerAPIError, retryAfter: Instant? = nil) -> HTTPResponse {
    let body: JSON = ["errorCode": .number(Int64(error.rawValue)), "errorMessage": .text("\(error)")]
    var response = json(body.bytes)
    response.status = HTTPResponseStatus(statusCode: error.rawValue / 10_000)
    // Apple sends milliseconds since 1970 here, which differs from RFC 9110.
    if let retryAfter { response.headers.add(name: "Retry-After", value: "\(retryAfter.rawValue)") }
    return response
  }

  /// Response to an invalid token, as Apple's proxy sends it: plain text without a reason.
  static let unauthenticated = HTTPResponse(
    status: .unauthorized, headers: ["Content-Type": "text/plain"],
    body: .bytes(Array("Unauthenticated\n\nRequest ID: FAKEAPPSTORE.0.0\n".utf8)))

  var isJSON: Bool { headers.first(name: "Content-Type") == "application/json" }

  var bytes: [UInt8] {
    if case .bytes(let bytes) = body { bytes } else { [] }
  }

  mutating func compress() {
    guard bytes.count > 512, headers.first(name: "Content-Type") != Self.gzip else { return }
    body = .bytes(Gzip.compressed([bytes]))
    headers.add(name: "Content-Encoding", value: "gzip")
  }

  static func page(_ code: Int, _ words: String? = nil) -> HTTPResponse {
    let status = HTTPResponseStatus(statusCode: code)
    let words = words ?? status.reasonPhrase
    let html =
      "<!DOCTYPE html>\n<html><head><title>\(words)</title></head><body><h1>\(words)</h1></body></html>\n"
    return HTTPResponse(
      status: status, headers: ["Content-Type": "text/html"], body: .bytes(Array(html.utf8)))
  }

  /// Returns the HTML page of an HTTP error, with the headers of its status.
  static func page(_ code: Int, _ settings: FaultSettings, path: String) -> HTTPResponse {
    var response = page(code)
    switch code {
    case 302:
      response.headers.add(name: "Location", value: FaultSettings.elsewhere + path)
    case 429: response.headers.add(name: "Retry-After", value: "\(settings.retryAfter)")
    case 503:
      // RFC 9110, 10.2.3 also permits a date. It has no fractions of a second, so a second is added.
      let date = FakeClock.realNow + Int64(settings.retryAfter + 1) * Milliseconds.second
      response.headers.add(name: "Retry-After", value: date.httpDate)
    default: break
    }
    return response
  }
}

/// Errors of the App Store Server API, with Apple's numbers: *App Store Server API › Error codes*.
enum FakeServerAPIError: Int, Error {
  case generalBadRequest = 4_000_000
  case invalidRequestRevision = 4_000_005
  case invalidTransactionID = 4_000_006
  case startDateTooFarInPast = 4_000_012
  case startDateAfterEndDate = 4_000_013
  case invalidPaginationToken = 4_000_014
  case invalidStartDate = 4_000_015
  case invalidEndDate = 4_000_016
  case paginationTokenExpired = 4_000_017
  /// Error for an unknown endpoint. Apple documents no number for it.
  case generalNotFound = 4_040_000
  case accountNotFound = 4_040_001
  case originalTransactionIDNotFoundRetryable = 4_040_006
  case transactionIDNotFound = 4_040_010
  case rateLimitExceeded = 4_290_000
  case generalInternal = 5_000_000
  case generalInternalRetryable = 5_000_001
}
