/// An error of the Server API's instead of data.
public enum ServerErrorFault: String, Sendable, Hashable, CaseIterable {
  case unauthenticated = "401"
  case originalTransactionRetryable = "4040006"
  case rateLimit = "4290000"
  case internalRetryable = "5000001"
  case staleRevision = "stale-revision"
  case expiredToken = "expired-token"

  /// Nil where no token is believed.
  var error: FakeServerAPIError? {
    switch self {
    case .unauthenticated: nil
    case .originalTransactionRetryable: .originalTransactionIDNotFoundRetryable
    case .rateLimit: .rateLimitExceeded
    case .internalRetryable: .generalInternalRetryable
    case .staleRevision: .invalidRequestRevision
    case .expiredToken: .paginationTokenExpired
    }
  }

  /// Whether the request has what this is about.
  func isPossible(_ request: ServerAPIRequest) -> Bool {
    switch self {
    case .staleRevision: request.call.endpoint == .history && !request.values("revision").isEmpty
    case .expiredToken:
      request.call.endpoint == .notificationHistory && !request.values("paginationToken").isEmpty
    default: true
    }
  }

  var summary: String {
    switch self {
    case .unauthenticated: "Server API: HTTP 401, as to a token that is not believed"
    case .rateLimit: "Server API: error 4290000 with Retry-After in milliseconds since 1970"
    case .staleRevision: "Server API: error 4000005 to a request with a revision"
    case .expiredToken: "Server API: error 4000017 to a request with a pagination token"
    default: "Server API: error \(rawValue)"
    }
  }
}
