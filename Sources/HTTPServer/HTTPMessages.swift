import NIOCore
import NIOHTTP1

/// Request that an `HTTPServer` received, complete unless `isTooLarge`.
public struct HTTPRequest: Sendable {
  public let method: HTTPMethod
  public let headers: HTTPHeaders
  /// Received bytes; empty if `isTooLarge`.
  public let body: [UInt8]
  public let isTooLarge: Bool
  public let path: String
  /// Part of the request target after `?`, not decoded.
  public let query: String

  init(_ head: HTTPRequestHead, body: [UInt8], isTooLarge: Bool) {
    (method, headers) = (head.method, head.headers)
    (self.body, self.isTooLarge) = (isTooLarge ? [] : body, isTooLarge)
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts.first ?? "")
    query = parts.count > 1 ? String(parts[1]) : ""
  }
}

/// Response that a handler returns to an `HTTPServer`.
public struct HTTPResponse: Sendable {
  public var status: HTTPResponseStatus
  /// Header fields except `Content-Length`, which the server adds.
  public var headers: HTTPHeaders
  public var body: Body

  public enum Body: Sendable {
    case bytes([UInt8])
    /// Body written piece by piece, chunked if `length` is `nil`; an error closes the connection.
    case stream(length: Int?, @Sendable (_ write: Writer) async throws -> Void)
  }

  public typealias Writer = @Sendable (ByteBuffer) async throws -> Void

  public init(status: HTTPResponseStatus, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}

/// Function that returns the response to a request, or `nil` to close the connection without a response.
public typealias HTTPHandler = @Sendable (HTTPRequest, any Channel) async -> HTTPResponse?

/// Address and limits of an `HTTPServer`.
public struct HTTPServerOptions: Sendable {
  public var host = "127.0.0.1"
  public var port = 0
  public var largestBody: Int
  /// Maximum time to receive a request, and to send an unstreamed response; then the connection is closed.
  ///
  /// The time for a request begins when the connection opens, or when the previous response ends.
  public var requestLimit = TimeAmount.seconds(60)
  /// Whether a client that has closed its sending side gets its response; if not, the client is disconnected.
  public var answersHalfClosed = false
  /// Maximum number of open connections; further connections wait in the system's backlog.
  public var mostConnections = Int.max
  /// Called on an event loop when `mostConnections` are open, so that further connections have to wait.
  public var whenFull: (@Sendable () -> Void)?
  public var executor: (any TaskExecutor)?

  public init(host: String = "127.0.0.1", port: Int = 0, largestBody: Int) {
    (self.host, self.port, self.largestBody) = (host, port, largestBody)
  }
}
