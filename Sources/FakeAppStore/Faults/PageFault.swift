/// What HTTP says by itself: an error, a page for people, or the way to elsewhere.
public enum PageFault: String, Sendable, Hashable, CaseIterable {
  case tooManyRequests = "429"
  case tooManyRequestsRetryAfter = "429-retry-after"
  case internalServerError = "500"
  case internalServerErrorRetryAfter = "500-retry-after"
  case badGateway = "502"
  case badGatewayRetryAfter = "502-retry-after"
  case serviceUnavailable = "503"
  case serviceUnavailableRetryAfter = "503-retry-after"
  /// `Retry-After` as a date: *RFC 9110, 10.2.3* allows both.
  case serviceUnavailableRetryDate = "503-retry-date"
  case html
  case found = "302"
  case temporaryRedirect = "307"
  case permanentRedirect = "308"

  /// HTTP's own status.
  public var code: Int { Int(rawValue.prefix(3)) ?? 200 }

  var isRedirect: Bool { (300..<400).contains(code) }

  var retryAfter: RetryAfter? {
    if rawValue.hasSuffix("-retry-after") { return .seconds }
    return rawValue.hasSuffix("-retry-date") ? .date : nil
  }

  enum RetryAfter { case seconds, date }

  var summary: String {
    if self == .html { return "HTTP 200 with a page for people" }
    if isRedirect { return "HTTP \(code) to elsewhere, which is counted when asked" }
    return switch retryAfter {
    case .seconds: "HTTP \(code) with Retry-After in seconds"
    case .date: "HTTP \(code) with Retry-After as a date"
    case nil: "HTTP \(code)"
    }
  }
}
