import AppStore
import HTTPTypes
import HummingbirdCore
import NIOCore
import Subscriptions

extension Response {
  static func json(_ body: [UInt8], encoding: String? = nil) -> Response {
    var headers: HTTPFields = [.contentType: "application/json"]
    if let encoding { headers[.contentEncoding] = encoding }
    return Response(
      status: .ok, headers: headers,
      body: body.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }

  /// Of a stated length, or in chunks where that is nil.
  static func json(
    length: Int?, _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
  ) -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json"],
      body: ResponseBody(contentLength: length, write))
  }

  init(_ answer: HTTPAnswer, compressed: [UInt8]? = nil) {
    self = .json(compressed ?? answer.body, encoding: compressed == nil ? nil : "gzip")
    status = HTTPResponse.Status(code: answer.status)
    if !answer.isJSON { headers[.contentType] = "text/plain" }
    // Apple counts milliseconds since 1970 here, whatever RFC 9110 says.
    if let instant = answer.retryAfter { headers[.retryAfter] = String(instant.rawValue) }
  }

  static func page(_ status: HTTPResponse.Status, _ words: String) -> Response {
    let html =
      "<!DOCTYPE html>\n<html><head><title>\(words)</title></head><body><h1>\(words)</h1></body></html>\n"
    return Response(
      status: status, headers: [.contentType: "text/html"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
  }

  init(_ fault: PageFault, settings: FaultSettings, path: String) {
    let status = HTTPResponse.Status(code: fault.code)
    self = .page(status, fault == .html ? "We will be back soon." : status.reasonPhrase)
    if fault.isRedirect { headers[.location] = settings.redirectTarget ?? Redirect.elsewhere + path }
    switch fault.retryAfter {
    case .seconds: headers[.retryAfter] = String(settings.retryAfter)
    case .date:
      // A second more, as its fraction is cut off.
      let date = FakeClock.realNow + Int64(settings.retryAfter + 1) * Milliseconds.second
      headers[.retryAfter] = date.httpDate
    case nil: break
    }
  }
}

enum Redirect {
  /// Before the path that was asked for.
  static let elsewhere = "/elsewhere"
}
