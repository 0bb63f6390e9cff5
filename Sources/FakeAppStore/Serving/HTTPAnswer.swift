import Subscriptions

/// What goes out over HTTP, if all goes well.
struct HTTPAnswer: Sendable, Hashable {
  /// HTTP's.
  var status: Int
  var body: [UInt8]
  /// Whether the body is JSON.
  var isJSON = true
  /// When the next request is allowed.
  var retryAfter: Instant?

  static func ok(_ body: [UInt8]) -> Self { Self(status: 200, body: body) }

  static func refusal(_ error: FakeServerAPIError, retryAfter: Instant? = nil) -> Self {
    let body = AppleJSONWriter.object(capacity: 160) { writer in
      writer.number("errorCode", Int64(error.rawValue))
      writer.member("errorMessage", error.message)
    }
    return Self(status: error.status, body: body, retryAfter: retryAfter)
  }

  /// A token that is not believed: what stands before the Server API answers, in no JSON, and does not say why.
  static let unauthenticated = Self(
    status: 401, body: Array("Unauthenticated\n\nRequest ID: FAKEAPPSTORE.0.0\n".utf8), isJSON: false)
}
