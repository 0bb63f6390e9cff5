import AppStore
import HTTPServer
import NIOHTTP1
import Subscriptions

extension HTTPResponse {
  static func json(_ body: [UInt8], encoding: String? = nil) -> HTTPResponse {
    var response = HTTPResponse(
      status: .ok, headers: ["Content-Type": "application/json"], body: .bytes(body))
    if let encoding { response.headers.add(name: "Content-Encoding", value: encoding) }
    return response
  }

  /// A body of a stated length or, if that is `nil`, in chunks.
  static func json(
    length: Int?, _ write: @escaping @Sendable (_ write: Writer) async throws -> Void
  ) -> HTTPResponse {
    HTTPResponse(
      status: .ok, headers: ["Content-Type": "application/json"], body: .stream(length: length, write))
  }

  init(_ answer: HTTPAnswer, compressed: [UInt8]? = nil) {
    self = .json(compressed ?? answer.body, encoding: compressed == nil ? nil : "gzip")
    status = HTTPResponseStatus(statusCode: answer.status)
    if !answer.isJSON { headers.replaceOrAdd(name: "Content-Type", value: "text/plain") }
    // Apple counts milliseconds since 1970 here, whatever RFC 9110 says.
    if let instant = answer.retryAfter { headers.add(name: "Retry-After", value: "\(instant.rawValue)") }
  }

  static func page(_ status: HTTPResponseStatus, _ words: String) -> HTTPResponse {
    let html =
      "<!DOCTYPE html>\n<html><head><title>\(words)</title></head><body><h1>\(words)</h1></body></html>\n"
    return HTTPResponse(
      status: status, headers: ["Content-Type": "text/html"], body: .bytes(Array(html.utf8)))
  }

  init(_ fault: PageFault, settings: FaultSettings, path: String) {
    let status = HTTPResponseStatus(statusCode: fault.code)
    self = .page(status, fault == .html ? "We will be back soon." : status.reasonPhrase)
    switch fault {
    case .tooManyRequests: headers.add(name: "Retry-After", value: "\(settings.retryAfter)")
    case .serviceUnavailable:
      // A second more, as its fraction is cut off.
      let date = FakeClock.realNow + Int64(settings.retryAfter + 1) * Milliseconds.second
      headers.add(name: "Retry-After", value: date.httpDate)
    case .found: headers.add(name: "Location", value: settings.redirectTarget ?? Redirect.elsewhere + path)
    case .internalServerError, .html: break
    }
  }
}

enum Redirect {
  /// Before the path that was asked for.
  static let elsewhere = "/elsewhere"
}
