/// What HTTP says by itself: an error, a page for people, or the way to elsewhere.
public enum PageFault: String, Sendable, Hashable, CaseIterable {
  /// `Retry-After` in seconds.
  case tooManyRequests = "429"
  case internalServerError = "500"
  /// `Retry-After` as a date: *RFC 9110, 10.2.3* allows both.
  case serviceUnavailable = "503"
  case html
  case found = "302"

  /// HTTP's own status.
  public var code: Int { Int(rawValue) ?? 200 }

  var summary: String {
    switch self {
    case .tooManyRequests: "HTTP 429 with Retry-After in seconds"
    case .internalServerError: "HTTP 500"
    case .serviceUnavailable: "HTTP 503 with Retry-After as a date"
    case .html: "HTTP 200 with a page for people"
    case .found: "HTTP 302 to elsewhere, which is counted when asked"
    }
  }
}
