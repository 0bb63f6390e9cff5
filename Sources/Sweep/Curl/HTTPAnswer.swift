import Subscriptions

/// Complete HTTP answer with any status, including redirects and errors.
package struct HTTPAnswer: Sendable, CustomStringConvertible, CustomReflectable {
  package let status: Int
  package let body: [UInt8]
  package let retryAfter: Int?
  /// Microseconds from the established connection to the last byte.
  package let latency: Int64
  package let isHTTP2: Bool
  package let date: Instant?

  package init(
    status: Int, body: [UInt8], retryAfter: Int? = nil, latency: Int64 = 0, isHTTP2: Bool = false,
    date: Instant? = nil
  ) {
    (self.status, self.body, self.retryAfter) = (status, body, retryAfter)
    (self.latency, self.isHTTP2, self.date) = (latency, isHTTP2, date)
  }

  package var description: String { "HTTP \(status) with \(body.count) bytes" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
