import NIOCore
import NIOHTTP1

/// Complete request that an `HTTPServer` received.
public struct HTTPRequest: Sendable {
  public let method: HTTPMethod
  public let headers: HTTPHeaders
  /// Empty if `isTooLarge`.
  public let body: [UInt8]
  /// Whether the body is larger than the server accepts.
  public let isTooLarge: Bool
  /// The part of the request target before `?`, as it was sent.
  public let path: String
  /// Names and values of the query, decoded, in their order.
  public let query: [(name: String, value: String)]

  init(_ head: HTTPRequestHead, body: [UInt8], isTooLarge: Bool) {
    (method, headers) = (head.method, head.headers)
    (self.body, self.isTooLarge) = (isTooLarge ? [] : body, isTooLarge)
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts.first ?? "")
    query = parts.dropFirst().joined().split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (Self.decoded(sides[0]), sides.count > 1 ? Self.decoded(sides[1]) : "")
    }
  }

  /// Replaces `%XX`; an incomplete one stays as it is.
  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"),
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
        rest.count >= 2
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Response that a handler returns to an `HTTPServer`.
public struct HTTPResponse: Sendable {
  public var status: HTTPResponseStatus
  /// Header fields without the body's length, which the server adds.
  public var headers: HTTPHeaders
  public var body: Body

  /// Body of a response, complete or streamed.
  public enum Body: Sendable {
    case bytes([UInt8])
    /// Written in pieces, with a known length or, if that is `nil`, in chunks. An error closes the
    /// connection.
    case stream(length: Int?, @Sendable (_ write: Writer) async throws -> Void)
  }

  /// Sends some bytes of a body, and returns once the system has taken them.
  public typealias Writer = @Sendable (ByteBuffer) async throws -> Void

  public init(status: HTTPResponseStatus, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}

/// Returns the response to a request; `nil` closes the connection without one.
public typealias HTTPHandler = @Sendable (HTTPRequest, any Channel) async -> HTTPResponse?
