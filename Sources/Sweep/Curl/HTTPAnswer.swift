import Subscriptions

/// A complete HTTP answer of any status, including redirects and errors.
package struct HTTPAnswer: Sendable, CustomStringConvertible, CustomReflectable {
  package let status: Int
  package let body: [UInt8]
  /// Seconds from the `Retry-After` header; libcurl also reads its date form.
  package let retryAfter: Int?
  /// Microseconds from the established connection to the last byte.
  package let latency: Int64
  package let isHTTP2: Bool
  /// Server's clock.
  package let date: Instant?
  /// Instant before which the server wants no more requests, if it sent one as a timestamp.
  package let retryAt: Instant?

  package init(
    status: Int, body: [UInt8], retryAfter: Int? = nil, latency: Int64 = 0, isHTTP2: Bool = false,
    date: Instant? = nil, retryAt: Instant? = nil
  ) {
    (self.status, self.body, self.retryAfter) = (status, body, retryAfter)
    (self.latency, self.isHTTP2, self.date, self.retryAt) = (latency, isHTTP2, date, retryAt)
  }

  package var description: String { "HTTP \(status) with \(body.count) bytes" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
