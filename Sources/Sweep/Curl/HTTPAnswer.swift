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
  /// Share of an hour's requests that the key has left, by `X-Rate-Limit` of the App Store Connect API.
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
