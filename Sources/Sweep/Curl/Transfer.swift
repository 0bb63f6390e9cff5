import AppStore
import Subscriptions

/// HTTP request: a GET, or a POST with a JSON body that may contain a receipt and a shared secret.
package struct Transfer: Sendable, CustomStringConvertible {
  package let endpoint: AppStoreEndpoint
  package let path: String
  package let body: SecretBytes?
  /// Bearer token for the Server API or the App Store Connect API, terminated by NUL.
  package let token: SecretBytes?

  package init(
    to endpoint: AppStoreEndpoint, path: String = "", body: SecretBytes? = nil, token: SecretBytes? = nil
  ) {
    (self.endpoint, self.path, self.body, self.token) = (endpoint, path, body, token)
  }

  package var description: String { "\(body.map { "POST of \($0) to" } ?? "GET from") \(endpoint)" }
}

/// Complete HTTP answer with any status, including redirects and errors.
package struct HTTPAnswer: Sendable, CustomStringConvertible, CustomReflectable {
  package let status: Int
  package let body: [UInt8]
  package let retryAfter: Int?
  /// Microseconds from the established connection to the last byte; with an old libcurl, from the start.
  package let latency: Int64
  package let isHTTP2: Bool
  package let date: Instant?
  /// Share of an hour's requests that the key has left, from `X-Rate-Limit` of the App Store Connect API.
  package let quota: Double?

  package init(
    status: Int, body: [UInt8], retryAfter: Int? = nil, latency: Int64 = 0, isHTTP2: Bool = false,
    date: Instant? = nil, quota: Double? = nil
  ) {
    (self.status, self.body, self.retryAfter) = (status, body, retryAfter)
    (self.latency, self.isHTTP2, self.date, self.quota) = (latency, isHTTP2, date, quota)
  }

  package var description: String { "HTTP \(status) with \(body.count) bytes" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

package enum TransferResult: Sendable {
  case answered(HTTPAnswer)
  case failed(TransportError)
}

/// Limits of one transfer, and the certificates it trusts.
public struct TransferLimits: Hashable, Sendable {
  /// Maximum milliseconds until the connection is established, including name lookup and TLS.
  public var connect: Int
  /// Maximum milliseconds from start to end.
  public var total: Int
  /// Maximum seconds without a byte in either direction.
  public var silence: Int
  /// Maximum bytes of the answer's body after decompression.
  public var answerBytes: Int
  public var certificates: CertificateBundle?

  public init(
    connect: Int = 10_000, total: Int = 90_000, silence: Int = 20, answerBytes: Int = FieldLimits.answer,
    certificates: CertificateBundle? = nil
  ) {
    (self.connect, self.total, self.silence) = (connect, total, silence)
    (self.answerBytes, self.certificates) = (answerBytes, certificates)
  }
}
